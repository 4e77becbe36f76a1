"""What the embedded interpreter makes of the programs: where a program is not named here, it lacks the module that it imports."""

from __future__ import annotations

from nucleate_sandbox import Limit
from tests.sandbox.escapes.case import Expect, fails, gives, hits, lacks

MONTY: dict[str, Expect] = {
    **dict.fromkeys([
        "subclass walk", "subclass walk by getattr", "vars of a module", "object.__getattribute__",
        "type.__getattribute__", "sys.modules", "random's os", "pathlib's os", "frame builtins",
        "exec in a namespace", "format_map walk", "traceback frame", "frame of the harness", "exception frame",
        "decorator", "default value", "trace hook", "profile hook", "audit hook", "declared requirements",
        "module named os", "huge length", "length just too large", "half a frame", "half a header",
        "half a frame, then the end", "frames without end", "never reads", "junk after the answer", "many frames",
        "channel read by a child", "patched notebook", "early exit", "exit at import", "sys.exit",
        "replaced process", "told from its stack", "told from its modules", "dependency that hides",
        "suite that leaves at import", "exit in a test", "sys.exit in a test", "process of the runner",
        "results on the pipe", "flood from a test", "daemon of a test", "tool that attacks its tests",
        "swallowed refusal", "call from a grandchild", "call from an orphan after the answer", "calls that cross",
        "time shared by children", "read of an empty pipe", "closed channel", "awaited for ever", "memory of many",
        "processor affinity", "fork bomb", "daemon", "daemon that forks on", "group of another", "zombies",
        "orphaned zombies", "duplicates", "descriptors of children", "inodes of links", "inodes of FIFOs",
        "wiping that races", "flood of errors", "flood of a daemon", "one endless line", "many empty lines",
        "native crash", "signals to process 1", "signals to all", "inherited descriptors", "clock", "linked binary",
        "hard link to the interpreter", "file in memory", "os.system", "patched class", "patched harness",
        "grown path", "recursion limit", "digits of integers", "umask and folder", "scheduling class",
        "full disk (sessions)", "full disk (tenants)", "process table (sessions)", "process table (tenants)",
        "signals (sessions)", "signals (tenants)", "patched harness of a neighbour (sessions)",
        "patched harness of a neighbour (tenants)", "descriptors of a neighbour (sessions)",
        "descriptors of a neighbour (tenants)", "processor for itself (sessions)", "processor for itself (tenants)",
        "processes for itself (sessions)", "processes for itself (tenants)",
    ], lacks("AttributeError")),
    **dict.fromkeys([
        "__import__", "module __getattr__",
    ], fails("NameError")),
    **dict.fromkeys([
        "import with a from list", "eval of text", "NFKC identifier", "a quote that hides code", "test that grows",
        "one block", "slow growth", "memory in the exception", "memory error swallowed", "signals to all (sessions)",
        "signals to all (tenants)", "names of a neighbour (sessions)", "names of a neighbour (tenants)",
        "memory for itself (sessions)", "memory for itself (tenants)",
    ], lacks("NameError")),
    **dict.fromkeys([
        "generator frame", "argument of no type",
    ], lacks("TypeError")),
    **dict.fromkeys([
        "function globals", "format walk", "coroutine frame", "channel of env",
        "excepthook", "forged code object", "told from its count", "closed output", "hostile stream",
        "patched module",
    ], fails("AttributeError")),
    **dict.fromkeys([
        "import from the work folder", "process of the tool", "memory of the runner",
        "tool that looks for its tests", "descriptors", "disk bytes", "disk in parts", "inodes", "inodes of folders",
        "sparse file", "sparse files", "allocated file", "deep folders", "locked folders", "long names",
        "unlinked but open", "unlinked in a daemon", "dropped script", "dropped ELF", "copy of the interpreter",
        "/proc/self/fd", "/proc/self/fd by path", "unlinked binary", "interfaces", "routes", "files and folders",
        "hidden files", "user modules", "files in the work folder (sessions)", "files in the work folder (tenants)",
        "memory of a sibling (sessions)", "memory of a sibling (tenants)",
    ], lacks("PermissionError")),
    **dict.fromkeys([
        "__format__", "null byte", "nested parentheses", "nested lists", "unary chain", "not chain", "lambda chain",
        "attribute chain", "call chain", "index chain", "power chain", "sum chain", "conditional chain",
        "comprehension chain", "literal of a million digits", "many arguments", "many branches", "many patterns",
        "no end of line", "mixed indentation", "half a character for the host",
    ], fails("SyntaxError")),
    "AttributeError.obj": gives('None'),
    **dict.fromkeys([
        "except*", "match of a class of its own", "class of the error", "metaclass", "__init_subclass__",
        "dict subclass", "str subclass", "float subclass", "int subclass", "list that grows",
        "hostile exception text", "hostile exception exit", "class named like an outcome", "always equal",
        "patched assertion", "fixture that swallows", "tool that raises the harness's words", "text subclass",
    ], lacks("NotImplementedError")),
    **dict.fromkeys([
        "match class pattern", "shadowed harness names", "regular expression",
    ], gives(None)),
    **dict.fromkeys([
        "form feed", "BOM", "line separators", "shadowed by global", "descriptor", "annotation",
        "tool that is no function", "__del__ at the end", "constant power", "constant repetition", "constant shift",
        "nested blocks", "nested loops", "many lines", "many decorators", "source of megabytes",
        "call in the finaliser", "terminal codes", "seeded random",
    ], gives(1)),
    "encoding line": gives('+AGE-'),
    "bidirectional text": gives('a'),
    **dict.fromkeys([
        "carriage returns", "shadowed by a walrus",
    ], gives(2)),
    "positional-only names": gives([1, 2]),
    **dict.fromkeys([
        "key that is no text", "__reduce__", "byte by byte", "positional argument",
        "object argument", "environment as an argument", "sort with a hostile order", "invalid output", "bytes",
        "iterator without end",
    ], fails("TypeError")),
    "memory of itself": lacks("TypeError"),
    "channel of env, by force": lacks("AttributeError"),
    "dataclass with a property": gives({'a': 1}),
    **dict.fromkeys([
        "exception of endless text", "literal in hexadecimal", "deep argument", "NaN argument", "surrogate argument",
        "long integer argument", "names that are no text", "half a character on output", "deep result",
        "cyclic result", "NaN", "Infinity", "minus Infinity as a key's value", "lone surrogate",
        "surrogate as a key", "long integer",
    ], fails("ValueError")),
    **dict.fromkeys([
        "exception chain", "forged environment error", "told from its arguments", "collection error",
        "forged error of the environment", "time zone",
    ], lacks("RuntimeError")),
    **dict.fromkeys([
        "except BaseException", "finally for ever", "nested functions", "loop in Python", "loop in C",
        "huge product", "hash collisions", "sleep",
    ], hits(Limit.CPU, Limit.WALL)),
    "flood": hits(Limit.OUTPUT),
    **dict.fromkeys([
        "f-string nest", "module named json",
    ], gives('1')),
    **dict.fromkeys([
        "text of a megabyte", "module named by a path", "module with a line in its name",
    ], fails("ZeroDivisionError")),
    "names of characters": gives('ﯹ'),
    "escape that warns": gives('\\q'),
    "many names": gives(7),
    "type comments": gives('text'),
    "cast": lacks("ImportError"),
    "code for the checker alone": gives('run'),
    "module named builtins": gives(9),
    **dict.fromkeys([
        "module named like the harness", "raised answer",
    ], fails("ModuleNotFoundError")),
    "module named __main__": gives(True),
    "module without a name": gives('__main__'),
    "library named json": gives(['1', 'library']),
    "library named env": gives("<function 'env' at 0x0>"),
    **dict.fromkeys([
        "nesting for the host", "attributes for the host", "signs for the host", "sums for the host",
        "null byte for the host",
    ], gives({'test_a': 'SyntaxError'})),
    **dict.fromkeys([
        "nesting in a test file", "shared object",
    ], fails("CollectionError")),
    **dict.fromkeys([
        "many tests", "expected to fail", "patched given", "settings without examples",
        "assumption that is never true",
    ], lacks("Unsupported")),
    "encoding of a test file": gives({'test_a': 'AssertionError'}),
    "builtins of the notebook": gives(['NameError', 0]),
    "quit": fails("SystemExit"),
    **dict.fromkeys([
        "forged memory error", "huge power", "many small", "doubled text", "wide format", "wide f-string", "padding",
        "repetition of a list",
    ], hits(Limit.MEMORY)),
    "tool that replaces its library": gives('forged'),
    **dict.fromkeys([
        "forged report", "forged report of nothing", "forged count", "forged truth", "forged value", "no test",
        "patched runner", "conftest", "sitecustomize", "file named like the library", "file named like the tool",
    ], gives([False, False])),
    **dict.fromkeys([
        "half collected", "memorised answers", "swallowed failure",
    ], gives([True, True])),
    **dict.fromkeys([
        "path file", "pyproject", "pytest.ini", "climbing name", "absolute name", "name of an option",
        "file name with a null byte", "name with a line", "name of a node", "name beyond a file system's",
        "source of the tool on disk", "tool that counts its tests",
    ], gives({'test_a': 'passed'})),
    "environment from a test": gives({'test_a': 'NameError'}),
    **dict.fromkeys([
        "argument that is NaN", "message of a test",
    ], gives({'test_a': 'ValueError'})),
    "huge argument to the tool": gives({'test_a': 'RuntimeError'}),
    **dict.fromkeys([
        "calls without end", "test without end", "test that sleeps",
    ], gives({'test_a': 'LimitExceeded'})),
    **dict.fromkeys([
        "not in the manifest", "not in the manifest, by getattr",
    ], fails("NotAllowed")),
    **dict.fromkeys([
        "no such function", "name of dots", "name in compatibility characters", "name with a null byte",
        "name of a method", "dunder name", "name of a million characters", "without a name",
    ], fails("UnknownFunction")),
    **dict.fromkeys([
        "argument of another type", "missing argument", "argument too many", "prototype keys", "text too long",
        "huge argument",
    ], fails("InvalidArguments")),
    "many huge arguments": hits(Limit.CALLS, deeds=("shop.echo",) * 20),
    "cyclic argument": lacks("ValueError"),
    **dict.fromkeys([
        "flood of calls", "swallowed limit",
    ], hits(Limit.CALLS, deeds=("shop.price",) * 20)),
    "flood of refused calls": hits(Limit.CALLS),
    "recursion": fails("RecursionError"),
    **dict.fromkeys([
        "large result", "wide result", "result of escapes",
    ], hits(Limit.RESULT)),
    "decimal context": gives('0.33'),
    "state of random": gives(False),
    **dict.fromkeys([
        "shared memory of POSIX (sessions)", "shared memory of POSIX (tenants)",
    ], gives(['PermissionError', 'PermissionError'])),
    **dict.fromkeys([
        "time-out beside a neighbour (sessions)", "time-out beside a neighbour (tenants)",
    ], gives([5, 'limit: cpu time', 5, 7])),
    **dict.fromkeys([
        "random of a neighbour (sessions)", "random of a neighbour (tenants)",
    ], gives([0.13436424411240122, False])),
    **dict.fromkeys([
        "cgroup of a neighbour (sessions)", "cgroup of a neighbour (tenants)",
    ], gives([1, []])),
}  # fmt: skip

# The benign twins that use what Monty lacks or refuses; any other one gives its value, or lacks the same module as the program.
TWINS: dict[str, Expect] = {
    **dict.fromkeys([
        "subclass walk", "subclass walk by getattr", "type.__getattribute__", "sys.modules", "pathlib's os",
        "frame builtins", "format_map walk", "traceback frame", "frame of the harness", "trace hook", "profile hook",
        "audit hook", "excepthook", "declared requirements", "huge length", "length just too large", "half a frame",
        "half a header", "half a frame, then the end", "frames without end", "junk after the answer", "early exit",
        "quit", "forged memory error", "told from its stack", "told from its modules", "exit in a test",
        "process of the tool", "process of the runner", "results on the pipe", "flood from a test",
        "daemon of a test", "flood of refused calls",
        "call from a grandchild", "call from an orphan after the answer",
        "time shared by children", "read of an empty pipe", "memory of many", "processor affinity", "fork bomb",
        "daemon", "daemon that forks on", "group of another", "zombies", "orphaned zombies", "duplicates",
        "descriptors of children", "inodes of links", "flood of errors", "flood of a daemon", "one endless line",
        "many empty lines", "invalid output", "signals to process 1", "signals to all", "inherited descriptors",
        "linked binary", "os.system", "patched harness", "grown path", "recursion limit", "digits of integers",
        "scheduling class", "key rings (sessions)", "key rings (tenants)", "signals (sessions)", "signals (tenants)",
        "descriptors of a neighbour (sessions)", "descriptors of a neighbour (tenants)",
        "processes for itself (sessions)", "processes for itself (tenants)",
    ], lacks("AttributeError")),
    **dict.fromkeys([
        "vars of a module", "__import__", "import with a from list", "environment from a test", "test that grows",
        "tool that raises the harness's words", "one block", "slow growth", "session after a session",
        "memory for itself (sessions)", "memory for itself (tenants)",
    ], lacks("NameError")),
    **dict.fromkeys([
        "function globals", "coroutine frame", "forged code object", "closed output",
        "hostile stream",
    ], fails("AttributeError")),
    "object.__getattribute__": lacks("AttributeError"),
    "memory of itself": lacks("TypeError"),
    "generator frame": lacks("TypeError"),
    **dict.fromkeys([
        "import from the work folder", "source of the tool on disk", "memory of the runner",
        "tool that looks for its tests", "closed channel", "descriptors", "disk bytes", "disk in parts", "inodes",
        "inodes of folders", "sparse file", "sparse files", "allocated file", "deep folders", "locked folders",
        "long names", "names that are no text", "unlinked in a daemon", "wiping that races", "dropped script",
        "dropped ELF", "hard link to the interpreter", "copy of the interpreter", "/proc/self/fd",
        "/proc/self/fd by path", "unlinked binary", "interfaces", "routes", "files and folders", "hidden files",
        "files in the work folder (sessions)", "files in the work folder (tenants)", "full disk (sessions)",
        "full disk (tenants)", "process table (sessions)", "process table (tenants)",
        "memory of a sibling (sessions)", "memory of a sibling (tenants)", "cgroup of a neighbour (sessions)",
        "cgroup of a neighbour (tenants)",
    ], lacks("PermissionError")),
    **dict.fromkeys([
        "channel of env", "channel of env, by force", "attribute chain", "name of a method", "dunder name",
    ], gives('_Place()')),
    **dict.fromkeys([
        "class of the error", "metaclass", "__init_subclass__", "descriptor", "hostile exception text",
        "hostile exception exit", "class named like an outcome", "fixture that swallows",
    ], lacks("NotImplementedError")),
    **dict.fromkeys([
        "byte by byte",
    ], fails("TypeError")),
    "cast": lacks("ImportError"),
    **dict.fromkeys([
        "module named like the harness", "module without a name",
    ], gives('__main__')),
    "module named __main__": gives(True),
    **dict.fromkeys([
        "many tests", "skipped", "expected to fail", "patched given", "settings without examples",
        "assumption that is never true",
    ], lacks("Unsupported")),
    "never reads": gives('Incomplete'),
    "frames sent ahead": gives([1, 42, 42]),
    "frame sent later": gives([1, 2, 42]),
    "endless block, then another": gives([1, 42]),
    "replaced process": gives(''),
    "forged environment error": lacks("RuntimeError"),
    "told from its arguments": gives(1),
    **dict.fromkeys([
        "forged report", "user modules", "shared memory of POSIX (sessions)", "shared memory of POSIX (tenants)",
    ], lacks("ModuleNotFoundError")),
    "patched runner": gives([False, False]),
    "plugin of its own": gives([True, False]),
    "tool that attacks its tests": gives({'test_a': 'AttributeError'}),
    "name of a million characters": gives(8),
    "without a name": gives('_Place(shop=_Place())'),
    "environment as an argument": gives('_Place(shop=_Place())', *("shop.echo",) * 1),
    **dict.fromkeys([
        "inodes of FIFOs", "file in memory",
    ], gives(False)),
    "unlinked but open": fails("ValueError"),
    "umask and folder": gives('/'),
    **dict.fromkeys([
        "patched builtins of a neighbour (sessions)", "patched builtins of a neighbour (tenants)",
    ], gives([[1, 2], [3, 4]])),
    **dict.fromkeys([
        "death beside a neighbour (sessions)", "death beside a neighbour (tenants)",
    ], gives([5, 6, 5, 7])),
    **dict.fromkeys(["swallowed refusal", "forged error of the environment"], lacks("AttributeError", deeds=("shop.fail",))),
    "calls that cross": lacks("AttributeError", deeds=("shop.price",) * 5),
}  # fmt: skip
