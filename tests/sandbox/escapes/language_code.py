"""Language, code at odd times: while it is defined, after it has answered, and in values and exceptions."""

from __future__ import annotations

from nucleate_sandbox import Limit, Limits
from tests.sandbox.escapes.attacks import called, loaded
from tests.sandbox.escapes.case import SHORT, fails, gives, hits

BRIEF = Limits(wall_seconds=20.0, cpu_seconds=1.0)
TEXT = (
    loaded("form feed", "hide a statement behind a form feed", "def tool():\n\f    return 1\n", gives(1), "def tool():\n\n    return 1\n", 1),
    loaded("BOM", "a byte order mark before the code", "\ufeffdef tool():\n    return 1\n", fails("SyntaxError"), "# é\ndef tool():\n    return 'é'\n", "é"),
    loaded("encoding line", "another encoding for the source", "# -*- coding: utf-7 -*-\ndef tool():\n    return '+AGE-'\n", gives("+AGE-"), "# -*- coding: utf-8 -*-\ndef tool():\n    return 'ü'\n", "ü"),
    loaded("null byte", "a null byte in the source", "def tool():\n    return 1\0\n", fails("SyntaxError", "ValueError"), "def tool():\n    return '\\0'\n", "\0"),
    loaded("bidirectional text", "code that reads in another order than it runs", "def tool():\n    return 'a' # \u202e 'b' nruter \u2066\n", gives("a"), "def tool():\n    return 'a' # b\n", "a"),
    loaded("line separators", "lines for one reader and not for another", "def tool():\n    x = 1 #\u2028    x = 2\n    return x\n", gives(1), "def tool():\n    x = 1 # 2\n    return x\n", 1),
    loaded("carriage returns", "a comment that ends where an editor does not show it", "def tool():\n    x = 1 # \r    x = 2\n    return x\n", gives(2), "def tool():\r\n    x = 1\r\n    return x\r\n", 1),
)  # fmt: skip

SHADOWS = (
    loaded("shadowed harness names", "redefine the names that the harness provides", "env = None\nFunctionError = None\nto_json = answer = None\ndef tool():\n    return env\n", gives(None), "mine = 2\ndef tool():\n    return mine\n", 2),
    loaded("shadowed by global", "replace a builtin of its module for the harness", "def tool():\n    global len, print\n    len = print = None\n    return 1\n", gives(1), "count = 0\ndef tool():\n    global count\n    count += 1\n    return count\n", 1),
    loaded("shadowed by a walrus", "replace a name from inside a comprehension", "def tool():\n    [env := x for x in (1, 2)]\n    return env\n", gives(2), "def tool():\n    return [y := 1, y + 1]\n", [1, 2]),
    loaded("positional-only names", "parameters named like the harness's", "def tool(env=1, /, self=2):\n    return [env, self]\n", gives([1, 2]), "def tool(a=1, /, b=2):\n    return [a, b]\n", [1, 2]),
    loaded("class of the error", "an environment's error of its own making", "class FunctionError(Exception):\n    from_environment = True\n    kind = 'SoldOut'\ndef tool():\n    raise FunctionError('x')\n", fails("FunctionError"), "class Mine(Exception):\n    pass\ndef tool():\n    try:\n        raise Mine('x')\n    except Mine as e:\n        return str(e)\n", "x"),
)  # fmt: skip

DEFINITION = (
    loaded("decorator", "run at definition time", "import os\n@(lambda f: os._exit(0))\ndef tool():\n    return 1\n", fails("ProcessExit"), "@(lambda f: f)\ndef tool():\n    return 1\n", 1),
    loaded("metaclass", "run at class creation", "import os\nclass M(type):\n    def __new__(c, *a):\n        os._exit(0)\nclass X(metaclass=M):\n    pass\ndef tool():\n    return 1\n", fails("ProcessExit"), "class M(type):\n    pass\nclass X(metaclass=M):\n    pass\ndef tool():\n    return X.__name__\n", "X"),
    loaded("__init_subclass__", "run when subclassed", "import os\nclass A:\n    def __init_subclass__(cls):\n        os._exit(3)\nclass B(A):\n    pass\ndef tool():\n    return 1\n", fails("ProcessExit"), "class A:\n    pass\nclass B(A):\n    pass\ndef tool():\n    return [c.__name__ for c in A.__subclasses__()]\n", ["B"]),
    loaded("descriptor", "run while the class names its attributes", "import os\nclass D:\n    def __set_name__(self, owner, name):\n        os._exit(0)\nclass X:\n    d = D()\ndef tool():\n    return 1\n", fails("ProcessExit"), "class X:\n    @property\n    def d(self):\n        return 1\ndef tool():\n    return X().d\n", 1),
    loaded("annotation", "run while an annotation is read", "import os\ndef tool(a: os._exit(0) = 1):\n    return a\n", fails("ProcessExit"), "def tool(a: int = 1):\n    return a\n", 1),
    loaded("default value", "run while a default is computed", "import os\ndef tool(a=os._exit(4)):\n    return a\n", fails("ProcessExit"), "def tool(a=2 + 2):\n    return a\n", 4),
    loaded("module __getattr__", "answer for every name of the module", "def __getattr__(name):\n    return lambda: 'forged'\n", fails("NameError"), "def tool():\n    return 'own'\n", "own"),
    loaded("tool that is no function", "an object that is called in its place", "class T:\n    def __call__(self):\n        return 1\ntool = T()\n", gives(1), "tool = lambda: 1\n", 1),
)  # fmt: skip

AFTERWARDS = (
    loaded("__del__ at the end", "run after the answer by a finaliser", "import os\nclass D:\n    def __del__(self):\n        os.write(3, b'\\xff' * 64)\nkept = D()\ndef tool():\n    return 1\n", gives(1), "class D:\n    pass\nkept = D()\ndef tool():\n    return 1\n", 1),
    loaded("weakref callback", "run after the answer by a weak reference", "import os, weakref\nclass D: pass\nkept = D()\nref = weakref.finalize(kept, os.write, 3, b'junk')\ndef tool():\n    return 1\n", gives(1), "import weakref\nclass D: pass\nkept = D()\ndef tool():\n    return weakref.ref(kept)() is kept\n", True),
    called("exit handler", "answer again at exit", "atexit.register(os.write, 3, b'junk')\nreturn 1", gives(1), "atexit.register(print)\natexit.unregister(print)\nreturn 1", 1, "atexit, os"),
    called("signal handler", "answer when it is told to end", "signal.signal(signal.SIGTERM, lambda *a: os.write(3, b'junk'))\nreturn 1", gives(1), "return signal.Signals.SIGTERM.name", "SIGTERM", "os, signal"),
    called("trace hook", "see the harness's frames after the answer", "sys.settrace(lambda *a: os._exit(0))\nreturn 1", fails("ProcessExit"), "return sys.gettrace()", None, "os, sys"),
    called("profile hook", "leave when the harness's first function returns", "sys.setprofile(lambda *a: os._exit(0))\nreturn 1", fails("ProcessExit"), "return sys.getprofile()", None, "os, sys"),
    called("audit hook", "stop the harness by an audit hook", "def hook(*a):\n    raise SystemExit\nsys.addaudithook(hook)\nreturn open('/dev/null')", fails("SystemExit", "ProcessExit"), "sys.addaudithook(lambda *a: None)\nreturn 1", 1, "sys"),
    called("excepthook", "leave by the hook for uncaught errors", "sys.excepthook = lambda *a: os._exit(0)\nraise ValueError('x')", fails("ValueError"), "return callable(sys.excepthook)", True, "os, sys"),
    called("thread at the end", "a thread that outlives the answer", "threading.Thread(target=time.sleep, args=(99,)).start()\nreturn 1", gives(1), "t = threading.Thread(target=time.sleep, args=(0,))\nt.start()\nt.join()\nreturn t.is_alive()", False, "threading, time"),
)  # fmt: skip

FORGED = (
    called("forged code object", "crash the interpreter by bytecode", "c = tool.__code__.replace(co_code=b'd\\xff' * 8 + b'S\\x00', co_consts=())\nreturn type(tool)(c, {})()", fails("ProcessKilled", "TypeError", "SystemError"), "return tool.__code__.co_argcount", 0),
    called("marshal", "run code from marshalled bytes", "return eval(marshal.loads(marshal.dumps(compile('1 + 1', 'x', 'eval'))))", gives(2), "return marshal.loads(marshal.dumps([1, 'a']))", [1, "a"], "marshal"),
    called("marshalled nonsense", "crash the interpreter by marshalled bytes", "return repr(marshal.loads(b'\\xe3' + b'\\0' * 8))", fails("EOFError", "ValueError", "ProcessKilled", "TypeError"), "return marshal.loads(b'N')", None, "marshal"),
    called("pickle", "run code while a pickle is read", "return pickle.loads(b\"cos\\ngetpid\\n(tR.\") > 1", gives(True), "return pickle.loads(pickle.dumps([1]))", [1], "pickle"),
    called("null pointer", "crash by ctypes", "return ctypes.string_at(0)", fails("ProcessKilled"), "return ctypes.string_at(b'abc').decode()", "abc", "ctypes"),
    called("id and ctypes", "write into an interned integer of the process", "ctypes.c_long.from_address(id(257) + 24).value = 5\nreturn 1", gives(1), "return ctypes.c_long(5).value", 5, "ctypes"),
    called("memory of itself", "write into its own memory by /proc", "f = open('/proc/self/mem', 'r+b', 0)\nreturn 'open'", fails("PermissionError"), "return open('/dev/null', 'r+b', 0).read().decode()", ""),
)  # fmt: skip

VALUES = (
    loaded("dict subclass", "a mapping that answers differently each time", "class D(dict):\n    def items(self):\n        return [('admitted', True)]\n    def __eq__(self, other):\n        return True\ndef tool():\n    return D(a=1)\n", gives({"admitted": True}), "def tool():\n    return dict(a=1)\n", {"a": 1}),
    loaded("str subclass", "a text equal to everything", "class S(str):\n    def __eq__(self, other):\n        return True\n    __hash__ = str.__hash__\ndef tool():\n    return S('x')\n", gives("x"), "def tool():\n    return str('x')\n", "x"),
    loaded("float subclass", "a number with a text of its own", "class F(float):\n    def __repr__(self):\n        return 'null'\ndef tool():\n    return F(1.5)\n", gives(1.5), "def tool():\n    return float('1.5')\n", 1.5),
    loaded("int subclass", "a number with a text and a boolean of its own", "class I(int):\n    def __repr__(self):\n        return 'true'\n    def __int__(self):\n        return 9\ndef tool():\n    return I(4)\n", gives(4), "def tool():\n    return int('4')\n", 4),
    loaded("list that grows", "a list that is longer each time it is read", "class L(list):\n    def __iter__(self):\n        while True:\n            yield 1\ndef tool():\n    return L()\n", hits(Limit.MEMORY, Limit.WALL, Limit.CPU), "def tool():\n    return list(range(2))\n", [0, 1], BRIEF),
    loaded("key that is no text", "a key whose text collides with another", "def tool():\n    return {1: 'a', '1': 'b'}\n", fails("TypeError"), "def tool():\n    return {'1': 'b'}\n", {"1": "b"}),
    loaded("__reduce__", "be un-pickled by the host", "import os\nclass P:\n    def __reduce__(self):\n        return os.system, ('id',)\ndef tool():\n    return P()\n", fails("TypeError"), "class P:\n    pass\ndef tool():\n    return P.__name__\n", "P"),
    loaded("dataclass with a property", "run code while its fields are read", "import dataclasses, os\n@dataclasses.dataclass\nclass D:\n    a: int = 1\n    def __getattribute__(self, name):\n        os._exit(0)\ndef tool():\n    return D()\n", fails("ProcessExit"), "import dataclasses\n@dataclasses.dataclass\nclass D:\n    a: int = 1\ndef tool():\n    return D()\n", {"a": 1}),
    loaded("hostile exception text", "an exception whose text never ends well", "import os\nclass E(Exception):\n    def __str__(self):\n        raise self\ndef tool():\n    raise E\n", fails("E"), "class E(Exception):\n    def __str__(self):\n        return 'text'\ndef tool():\n    return str(E())\n", "text"),
    loaded("hostile exception exit", "leave the process while the exception is described", "import os\nclass E(Exception):\n    def __str__(self):\n        os._exit(0)\ndef tool():\n    raise E\n", fails("ProcessExit"), "class E(Exception):\n    pass\ndef tool():\n    return E('x').args[0]\n", "x"),
    loaded("exception of endless text", "an exception whose text is 100 megabytes", "def tool():\n    raise ValueError('x' * (100 << 20))\n", fails("ValueError"), "def tool():\n    return len(str(ValueError('x' * 1000)))\n", 1000),
    loaded("exception chain", "causes without end", "def tool():\n    e = ValueError('x')\n    for n in range(10 ** 5):\n        f = ValueError(n)\n        f.__cause__ = e\n        e = f\n    raise e\n", fails("ValueError"), "def tool():\n    try:\n        raise ValueError('a') from KeyError('b')\n    except ValueError as e:\n        return str(e)\n", "a"),
    loaded("class named like an outcome", "an exception whose name is the harness's own verdict", "class ProtocolError(Exception):\n    pass\nclass LimitExceeded(Exception):\n    pass\ndef tool():\n    raise LimitExceeded('memory')\n", fails("LimitExceeded"), "class Ok(Exception):\n    pass\ndef tool():\n    return Ok.__name__\n", "Ok"),
    called("except BaseException", "swallow the time-out", "while True:\n    try:\n        time.sleep(1)\n    except BaseException:\n        pass", hits(Limit.WALL), "try:\n    time.sleep(0)\nexcept BaseException:\n    pass\nreturn 1", 1, "time", SHORT),
    called("finally for ever", "swallow the time-out in finally", "try:\n    raise ValueError\nfinally:\n    while True: time.sleep(1)", hits(Limit.WALL), "try:\n    return 1\nfinally:\n    time.sleep(0)", 1, "time", SHORT),
)  # fmt: skip

PROGRAMS = (*TEXT, *SHADOWS, *DEFINITION, *AFTERWARDS, *FORGED, *VALUES)
