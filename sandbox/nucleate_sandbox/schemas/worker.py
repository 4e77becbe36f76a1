"""A process that matches: one line asks, one line answers, and the kernel ends it when a match takes too long."""

import json
import re
import resource
import signal
import sys

from pydantic_core import SchemaError, SchemaValidator, ValidationError, core_schema

CPU_SECONDS = 0.1
MEMORY = 1 << 30


def answer(linear: str, backtracking: str, text: str) -> str:
    """Return `yes`, `no`, or why neither engine reads the expression."""
    try:
        validator = SchemaValidator(core_schema.str_schema(pattern=linear, regex_engine="rust-regex"))
    except SchemaError:
        try:
            return "yes" if re.search(backtracking, text) else "no"
        except (re.error, OverflowError, RecursionError) as error:
            return f"no engine reads it: {error}".replace("\n", " ")
    try:
        validator.validate_python(text)
    except ValidationError:
        return "no"
    return "yes"


def main() -> None:
    """Answer until the input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)  # its signal has no handler: it ends the process
        said = answer(*asked)
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.stdout.write(said + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
