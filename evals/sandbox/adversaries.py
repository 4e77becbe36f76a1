"""What a program or a server says, made to hold up or to confuse the host: each input beside a plain one of its size.

Run: python -m evals.sandbox.adversaries [PYTHON [FOLDER]]

Each case runs in a process of its own (by another interpreter in another folder, if they are named: so an earlier state
is measured with the same inputs). It is ended after LIMIT seconds of processor time. What is compared is a ratio: the
processor time of the input over that of a plain one of the same size.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LIMIT = 5  # seconds of processor time for one case
CHILD = """
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_CPU, (@@, @@))
def found(module, old):
    import importlib
    try: return importlib.import_module(module)
    except ImportError: return importlib.import_module(old)
def bridge(schema, call):
    from nucleate_sandbox import Functions, FunctionSpec, Limits
    from nucleate_sandbox.bridge import Bridge
    class Desk:
        name = "desk"
        functions = {"desk.ask": FunctionSpec(name="desk.ask", parameters=schema)}
        def call(self, name, arguments): return call(arguments)
        def fork(self): return self
    return Bridge(Functions.of(Desk()), Limits(result_bytes=8 << 20))
def ask(schema, arguments, call=lambda _: "done"):
    answer = bridge(schema, call).call("desk.ask", arguments)
    said = answer.error.kind if answer.error else "answered"
    return said + (", not checked: " + answer.unchecked[0] if getattr(answer, "unchecked", ()) else "")
def one(**schema): return {"type": "object", "properties": {"x": schema}}
def seconds(work):
    began = time.process_time(); said = None
    try: said = work()
    except Exception as error: said = "raised " + type(error).__name__
    return time.process_time() - began, said
CASE
plain()
few = min(seconds(plain)[0] for _ in range(3))
print(json.dumps({"plain": few}), flush=True)
print(json.dumps(dict(zip(("hard", "said"), seconds(hard)))), flush=True)
"""
SIZE = 100_000
CASES: dict[str, str] = {
    "a `pattern` like an e-mail's, 100,000 letters": """
schema = one(type="string", pattern="^([a-zA-Z0-9]+)*@x$")
plain = lambda: ask(schema, {"x": "ab 12 cd. " * 10_000})
hard = lambda: ask(schema, {"x": "a" * 100_000})""",
    "a `pattern` that looks ahead and backtracks": """
schema = one(type="string", pattern="^(?!x)(a+)+$")
plain = lambda: ask(schema, {"x": "b" * 40})
hard = lambda: ask(schema, {"x": "a" * 40 + "b"})""",
    "`uniqueItems` over 3,000 objects": """
rows = [{"n": n, "a": [n]} for n in range(3000)]
plain = lambda: ask(one(type="array"), {"x": rows})
hard = lambda: ask(one(type="array", uniqueItems=True), {"x": rows})""",
    "`anyOf` of two ways to one place, 20 deep": """
two = {"anyOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/n"}]}
node = {"type": "object", "properties": {"x": two, "y": {"type": "integer"}}}
schema = {"type": "object", "properties": {"x": node}, "$defs": {"n": node}}
def deep(last):
    for _ in range(20): last = {"x": last}
    return last
plain = lambda: ask(schema, deep({"y": 1}))
hard = lambda: ask(schema, deep({"y": "no"}))""",
    "`multipleOf` of a hundredth, 400 digits": """
plain = lambda: ask(one(multipleOf=7), {"x": 10**400})
hard = lambda: ask(one(multipleOf=0.01), {"x": 10**400})""",
    "200,000 numbers, each held to a schema": """
plain = lambda: ask(one(type="array"), {"x": [1] * 200_000})
hard = lambda: ask(one(type="array", items={"type": "integer", "minimum": 0}), {"x": [1] * 200_000})""",
    "a schema that refers to itself alone": """
plain = lambda: ask({"type": "object"}, {})
hard = lambda: ask({"$ref": "#"}, {})""",
    "a schema that is none": """
plain = lambda: ask({"type": "object"}, {})
hard = lambda: ask(one(type="no such type"), {"x": 1})""",
    "a result of 2,500,000 lists": """
plain = lambda: ask({}, {}, lambda _: "[]," * 2_500_000)
hard = lambda: ask({}, {}, lambda _: [[] for _ in range(2_500_000)])""",
    "an error that cannot be printed": """
class Odd(Exception):
    def __str__(self): raise ValueError
def odd(_): raise Odd
def fine(_): raise ValueError("odd")
plain = lambda: ask({}, {}, fine)
def hard():
    from nucleate_sandbox import Limits
    link = bridge({}, odd); answer = link.call("desk.ask", {}, seconds=2)
    return answer.error.kind""",
    "the class of an error of 60,000 letters": """
classes = found("nucleate_text_memory.recordings.error_classes", "nucleate_text_memory.error_classes")
from nucleate_text_memory.values import Step, StepError
step = lambda text: Step(function="a.b", arguments={}, error=StepError(kind="E", message=text))
plain = lambda: classes.error_class(step("order 12 was not found. " * 2500)) and "told"
hard = lambda: classes.error_class(step("a" * 60_000)) and "told" """,
    "roles in a memory of 100,000 line ends": """
contract = found("nucleate_text_memory.entries.contract", "nucleate_text_memory.contract")
plain = lambda: str(contract._ROLE.search("plain words.\\n" * 7_700))
hard = lambda: str(contract._ROLE.search("\\n" * 100_000))""",
    "entities of 100,000 letters": """
entities = found("nucleate_text_memory.retrieval.entities", "nucleate_text_memory.retrieval.entities").entities
plain = lambda: str(len(entities("order 12 of Ann. " * 5900)))
hard = lambda: str(len(entities("a" * 100_000)))""",
    "secrets in 100,000 characters of options": """
secrets = found("nucleate_text_memory.redaction.redact", "nucleate_text_memory.redact")
plain = lambda: str(len(secrets.redact_text("curl -o file --user ann ok " * 3700)))
hard = lambda: str(len(secrets.redact_text("--user" * 16_600)))""",
    "secrets in 100,000 characters before `://`": """
secrets = found("nucleate_text_memory.redaction.redact", "nucleate_text_memory.redact")
plain = lambda: str(len(secrets.redact_text("see http://a.example/b " * 4300)))
hard = lambda: str(len(secrets.redact_text("a." * 50_000 + "://")))""",
}  # fmt: skip


def run(name: str, python: str = sys.executable, folder: Path | None = None) -> tuple[str, str]:
    """Return how the input compares with a plain one, and what the host said of it."""
    program = CHILD.replace("@@", str(LIMIT)).replace("CASE", CASES[name])
    done = subprocess.run(
        [python, "-c", program], cwd=folder, capture_output=True, text=True, timeout=60 * LIMIT, check=False
    )
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not told:
        return "–", done.stderr.strip().rpartition("\n")[2][:90]
    if len(told) < 2:
        return f"> {LIMIT / max(told[0]['plain'], 1e-4):,.0f} ×", f"ended after {LIMIT} s"
    return f"{told[1]['hard'] / max(told[0]['plain'], 1e-4):,.1f} ×", str(told[1]["said"])[:90]


def main() -> None:
    """Print a row for each case."""
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    for name in CASES:
        ratio, said = run(name, python, folder)
        print(f"| {name} | {ratio} | {said} |", flush=True)


if __name__ == "__main__":
    main()
