"""Language: whatever Python lets a program reach, it finds only the inside of its container."""

from __future__ import annotations

from nucleate_sandbox import Limit
from tests.sandbox.escapes.case import SHORT, Expect, Hostile, Twin, fails, gives, hits, program

REACH = "os = {};\nreturn [os.getuid() > 0, dict(os.environ), sorted(os.listdir('/tmp')), os.path.exists('/var/run')]"
NOTHING: Expect = gives([True, {}, [], False])


def _walk(name: str, tries: str, expression: str, imports: str = "") -> Hostile:
    """Return a program that reaches `os` by an expression and tells what it can see there."""
    return Hostile(name=name, tries=tries, source=program(REACH.format(expression), imports), docker=NOTHING)


WALKS = (
    _walk("subclass walk", "find a loader among the subclasses of object",
          "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__['sys'].modules['os']"),
    _walk("subclass walk by getattr", "the same with names built at run time",
          "[c for c in getattr(getattr((), '__cla' + 'ss__'), '__ba' + 'se__').__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__['sys'].modules['os']"),
    _walk("vars of a module", "reach sys through the names of an allowed module", "vars(json.codecs)['sys'].modules['os']", "json"),
    _walk("attrgetter walk", "walk attributes by operator.attrgetter", "operator.attrgetter('codecs.sys.modules')(json)['os']", "json, operator"),
    _walk("object.__getattribute__", "walk past a guarded getattr", "object.__getattribute__(json.codecs, 'sys').modules['os']", "json"),
    _walk("sys.modules", "take os out of the module table", "sys.modules['os']", "sys"),
    _walk("importlib", "import by importlib", "importlib.import_module('o' + 's')", "importlib"),
    _walk("__import__", "import by the builtin", "__builtins__['__import__']('os') if isinstance(__builtins__, dict) else __import__('os')"),
    _walk("resolve_name", "import by pkgutil", "pkgutil.resolve_name('os')", "pkgutil"),
    _walk("random's os", "a module that imported os under another name", "random._os", "random"),
    _walk("generator frame", "climb from a generator's frame to its caller's globals", "(lambda g: (next(g), g.gi_frame.f_globals['sys'])[1])((x for x in [1])).modules['os']", "sys"),
    _walk("eval of text", "code as text, past a check of the tree", "eval('__import__' + '(\"os\")')"),
    _walk("NFKC identifier", "a name in compatibility characters", "__import__('os') if ｅval('1') else None"),
    _walk("a quote that hides code", "code behind what a regular expression takes for a comment", "('#', __import__('os'))[1]"),
)  # fmt: skip

OTHERS = (
    Hostile(name="posix", tries="the C module behind os", source=program("return [posix.getuid() > 0, dict(posix.environ)]", "posix"), docker=gives([True, {}])),
    Hostile(name="runpy", tries="run a module file of the library by path", source=program("return runpy.run_path(string.__file__)['digits']", "runpy, string"), docker=gives("0123456789")),
    Hostile(name="zipimport", tries="import from an archive that does not exist", source=program("return zipimport.zipimporter('/tmp/x.zip')", "zipimport"), docker=fails("ZipImportError")),
    Hostile(name="format walk", tries="read globals by a format string", source="secret = 'mine'\ndef tool():\n    return '{0.__globals__[secret]}'.format(tool)\n", docker=gives("mine")),
    Hostile(name="format_map walk", tries="read globals by format_map", source="secret = 'mine'\ndef tool():\n    return '{f.__globals__[secret]}'.format_map({'f': tool})\n", docker=gives("mine")),
    Hostile(name="Formatter.get_field", tries="walk by string.Formatter", source=program("return type(string.Formatter().get_field('0.__class__.__base__', [()], {})[0]).__name__", "string"), docker=gives("type")),
    Hostile(name="__format__", tries="run code while a value is formatted", source="class F:\n    def __format__(self, spec):\n        return spec * 2\ndef tool():\n    return f'{F():ab}'\n", docker=gives("abab")),
    Hostile(name="traceback frame", tries="climb to the harness and rewrite its modules' names", source=program("""
        f = sys._getframe()
        while f.f_back:
            f = f.f_back
        f.f_globals['main'] = None
        return 'main' in f.f_globals""", "sys"), docker=gives(True)),
    Hostile(name="frame of the harness", tries="replace the harness's own answer function in its frames", source=program("""
        f = sys._getframe()
        while f and 'answer' not in f.f_globals:
            f = f.f_back
        f.f_globals['to_json'] = lambda value: 'forged'
        return 'mine'""", "sys"), docker=gives("mine")),
    Hostile(name="AttributeError.obj", tries="take an object out of an exception", source=program("try:\n    env._x\nexcept AttributeError as e:\n    return repr(getattr(e, 'obj', None))"), docker=gives("env"), monty=gives("None")),
    Hostile(name="except*", tries="hide a walk in an exception group", source=program("seen = []\ntry:\n    raise ExceptionGroup('g', [ValueError('v')])\nexcept* ValueError as g:\n    seen.append(str(g.exceptions[0]))\nreturn seen"), docker=gives(["v"])),
    Hostile(name="form feed", tries="hide a statement behind a form feed", source="def tool():\n\f    return 1\n", docker=gives(1) , monty=gives(1)),
    Hostile(name="BOM", tries="a byte order mark before the code", source="\ufeffdef tool():\n    return 1\n", docker=fails("SyntaxError"), monty=gives(1)),
    Hostile(name="encoding line", tries="another encoding for the source", source="# -*- coding: utf-7 -*-\ndef tool():\n    return '+AGE-'\n", docker=gives("+AGE-"), monty=gives("+AGE-")),
    Hostile(name="null byte", tries="a null byte in the source", source="def tool():\n    return 1\0\n", docker=fails("SyntaxError", "ValueError")),
    Hostile(name="match class pattern", tries="read attributes by a class pattern", source="def tool():\n    match tool:\n        case object(__globals__=g):\n            return '__builtins__' in g\n", docker=gives(True), monty=gives(None)),
    Hostile(name="shadowed harness names", tries="redefine the names that the harness provides", source="env = None\nFunctionError = None\nto_json = answer = None\ndef tool():\n    return env\n", docker=gives(None), monty=gives(None)),
    Hostile(name="decorator", tries="run at definition time", source="import os\n@(lambda f: os._exit(0))\ndef tool():\n    return 1\n", docker=fails("ProcessExit")),
    Hostile(name="metaclass", tries="run at class creation", source="import os\nclass M(type):\n    def __new__(c, *a):\n        os._exit(0)\nclass X(metaclass=M):\n    pass\ndef tool():\n    return 1\n", docker=fails("ProcessExit")),
    Hostile(name="__init_subclass__", tries="run when subclassed", source="import os\nclass A:\n    def __init_subclass__(cls):\n        os._exit(3)\nclass B(A):\n    pass\ndef tool():\n    return 1\n", docker=fails("ProcessExit")),
    Hostile(name="descriptor", tries="run while the class names its attributes", source="import os\nclass D:\n    def __set_name__(self, owner, name):\n        os._exit(0)\nclass X:\n    d = D()\ndef tool():\n    return 1\n", docker=fails("ProcessExit"), monty=gives(1)),
    Hostile(name="__del__ at the end", tries="run after the answer by a finaliser", source="import os\nclass D:\n    def __del__(self):\n        os.write(3, b'\\xff' * 64)\nkept = D()\ndef tool():\n    return 1\n", docker=gives(1), monty=gives(1)),
    Hostile(name="weakref callback", tries="run after the answer by a weak reference", source="import os, weakref\nclass D: pass\nkept = D()\nref = weakref.finalize(kept, os.write, 3, b'junk')\ndef tool():\n    return 1\n", docker=gives(1)),
    Hostile(name="trace hook", tries="see the harness's frames after the answer", source=program("sys.settrace(lambda *a: os._exit(0))\nreturn 1", "os, sys"), docker=fails("ProcessExit")),
    Hostile(name="audit hook", tries="stop the harness by an audit hook", source=program("def hook(*a):\n    raise SystemExit\nsys.addaudithook(hook)\nreturn open('/dev/null')", "sys"), docker=fails("SystemExit")),
    Hostile(name="forged code object", tries="crash the interpreter by bytecode", source=program("c = tool.__code__.replace(co_code=b'd\\xff' * 8 + b'S\\x00', co_consts=())\nreturn type(tool)(c, {})()"), docker=fails("ProcessKilled", "TypeError", "SystemError")),
    Hostile(name="marshal", tries="run code from marshalled bytes", source=program("return eval(marshal.loads(marshal.dumps(compile('1 + 1', 'x', 'eval'))))", "marshal"), docker=gives(2)),
    Hostile(name="null pointer", tries="crash by ctypes", source=program("return ctypes.string_at(0)", "ctypes"), docker=fails("ProcessKilled")),
    Hostile(name="id and ctypes", tries="write into an interned integer of the process", source=program("ctypes.c_long.from_address(id(257) + 24).value = 5\nreturn 1", "ctypes"), docker=gives(1)),
    Hostile(name="dict subclass", tries="a mapping that answers differently each time", source="class D(dict):\n    def items(self):\n        return [('admitted', True)]\n    def __eq__(self, other):\n        return True\ndef tool():\n    return D(a=1)\n", docker=gives({"admitted": True})),
    Hostile(name="str subclass", tries="a text equal to everything", source="class S(str):\n    def __eq__(self, other):\n        return True\n    __hash__ = str.__hash__\ndef tool():\n    return S('x')\n", docker=gives("x")),
    Hostile(name="float subclass", tries="a number with a text of its own", source="class F(float):\n    def __repr__(self):\n        return 'null'\ndef tool():\n    return F(1.5)\n", docker=gives(1.5)),
    Hostile(name="__reduce__", tries="be un-pickled by the host", source="import os\nclass P:\n    def __reduce__(self):\n        return os.system, ('id',)\ndef tool():\n    return P()\n", docker=fails("TypeError")),
    Hostile(name="hostile exception text", tries="an exception whose text never ends well", source="import os\nclass E(Exception):\n    def __str__(self):\n        raise self\ndef tool():\n    raise E\n", docker=fails("E")),
    Hostile(name="hostile exception exit", tries="leave the process while the exception is described", source="import os\nclass E(Exception):\n    def __str__(self):\n        os._exit(0)\ndef tool():\n    raise E\n", docker=fails("ProcessExit")),
    Hostile(name="except BaseException", tries="swallow the time-out", source=program("while True:\n    try:\n        time.sleep(1)\n    except BaseException:\n        pass", "time"), docker=hits(Limit.WALL), limits=SHORT),
)  # fmt: skip

PROGRAMS = (*WALKS, *OTHERS)
TWINS = (
    Twin(name="formatting", source=program("return '{0:>4}|{name}'.format(7, name='x')"), value="   7|x"),
    Twin(name="subclasses of one's own", source="class A: pass\nclass B(A): pass\ndef tool():\n    return [c.__name__ for c in A.__subclasses__()]\n", value=["B"]),
    Twin(name="a match statement", source="def tool():\n    match {'a': 1}:\n        case {'a': x}:\n            return x\n", value=1),
)  # fmt: skip
