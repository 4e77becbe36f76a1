"""A support agent as many are: a model, its tools, a loop."""

import json
import sys

from openai import OpenAI

from desk import FUNCTIONS, TOOLS
from nucleate import FunctionEnvironment, Runtime


def answer(call):
    try:
        result = FUNCTIONS[call.function.name](**json.loads(call.function.arguments))
    except Exception as error:
        result = f"Error: {error}"
    return {"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)}


runtime = Runtime(FunctionEnvironment("desk", FUNCTIONS, effects={"find_customer": "read"}))
@runtime.recorded(query="query", offer=True)
def solve(client, query):
    messages = [{"role": "user", "content": query}]
    while True:
        reply = client.chat.completions.create(model="desk-1", messages=messages, tools=TOOLS).choices[0].message
        messages.append(reply)
        if not reply.tool_calls:
            return reply.content
        messages += [answer(call) for call in reply.tool_calls]


for line in sys.stdin:
    print(solve(OpenAI(), line.strip()))
