"""Language, walks: whatever Python lets a program reach, it finds only the inside of its container."""

from __future__ import annotations

from tests.sandbox.escapes.attacks import called, loaded
from tests.sandbox.escapes.case import Expect, Program, fails, gives

REACH = "os = {};\nreturn [os.getuid() > 0, dict(os.environ), sorted(os.listdir('/tmp')), os.path.exists('/var/run')]"
NOTHING: Expect = gives([True, {}, [], False])


def _walk(name: str, tries: str, expression: str, twin: str, value: str, imports: str = "") -> Program:
    """Return a program that reaches `os` by an expression and tells what it can see there."""
    return called(name, tries, REACH.format(expression), NOTHING, f"return {twin}", value, imports)


WALKS = (
    _walk("subclass walk", "find a loader among the subclasses of object",
          "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__['sys'].modules['os']",
          "().__class__.__name__", "tuple"),
    _walk("subclass walk by getattr", "the same with names built at run time",
          "[c for c in getattr(getattr((), '__cla' + 'ss__'), '__ba' + 'se__').__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__['sys'].modules['os']",
          "getattr('A', 'low' + 'er')()", "a"),
    _walk("vars of a module", "reach sys through the names of an allowed module", "vars(json.codecs)['sys'].modules['os']", "vars(json)['dumps']('a')", '"a"', "json"),
    _walk("attrgetter walk", "walk attributes by operator.attrgetter", "operator.attrgetter('codecs.sys.modules')(json)['os']", "operator.attrgetter('dumps')(json)('a')", '"a"', "json, operator"),
    _walk("object.__getattribute__", "walk past a guarded getattr", "object.__getattribute__(json.codecs, 'sys').modules['os']", "object.__getattribute__(json, 'dumps')('a')", '"a"', "json"),
    _walk("type.__getattribute__", "walk a class past its metaclass",
          "[c for c in type.__getattribute__(tuple, '__base__').__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__['sys'].modules['os']",
          "type.__getattribute__(str, '__name__')", "str"),
    _walk("sys.modules", "take os out of the module table", "sys.modules['os']", "sys.modules['sys'].__name__", "sys", "sys"),
    _walk("importlib", "import by importlib", "importlib.import_module('o' + 's')", "importlib.import_module('js' + 'on').dumps('a')", '"a"', "importlib"),
    _walk("importlib loader", "import by a finder of the path", "importlib.machinery.PathFinder.find_spec('os').loader.load_module('os')", "importlib.machinery.PathFinder.__name__", "PathFinder", "importlib.machinery"),
    _walk("__import__", "import by the builtin", "__builtins__['__import__']('os') if isinstance(__builtins__, dict) else __import__('os')", "__import__('math').__name__", "math"),
    _walk("import with a from list", "import a submodule by __import__ with a list", "__import__('os', fromlist=['path'])", "__import__('json', fromlist=['dumps']).dumps('a')", '"a"'),
    _walk("resolve_name", "import by pkgutil", "pkgutil.resolve_name('os')", "pkgutil.resolve_name('json:dumps')('a')", '"a"', "pkgutil"),
    _walk("random's os", "a module that imported os under another name", "random._os", "str(random.Random(1).randint(5, 5))", "5", "random"),
    _walk("pathlib's os", "a module that imported os under its own name", "pathlib.os", "pathlib.PurePosixPath('/a/b').name", "b", "pathlib"),
    _walk("generator frame", "climb from a generator's frame to its caller's globals", "(lambda g: (next(g), g.gi_frame.f_globals['sys'])[1])((x for x in [1])).modules['os']", "str(next(x for x in [1]))", "1", "sys"),
    _walk("frame builtins", "take the builtins out of a frame", "sys._getframe(0).f_builtins['__import__']('os')", "sys._getframe(0).f_code.co_name", "tool", "sys"),
    _walk("function globals", "take the globals of a library's function", "json.dumps.__globals__['codecs'].sys.modules['os']", "json.dumps.__name__", "dumps", "json"),
    _walk("eval of text", "code as text, past a check of the tree", "eval('__import__' + '(\"os\")')", "str(eval('1' + '1'))", "11"),
    _walk("exec in a namespace", "code as text, with builtins of its own making", "(lambda d: (exec('import o' + 's', d), d['os'])[1])({})", "(lambda d: (exec('x = \"y\"', d), d['x'])[1])({})", "y"),
    _walk("NFKC identifier", "a name in compatibility characters", "__import__('os') if ｅval('1') else None", "str(ｌen('ab'))", "2"),
    _walk("a quote that hides code", "code behind what a regular expression takes for a comment", "('#', __import__('os'))[1]", "('#', 'x')[1]", "x"),
)  # fmt: skip

OTHERS = (
    called("posix", "the C module behind os", "return [posix.getuid() > 0, dict(posix.environ)]", gives([True, {}]), "return posix.fspath('a')", "a", "posix"),
    called("runpy", "run a module file of the library by path", "return runpy.run_path(string.__file__)['digits']", gives("0123456789"), "return string.digits", "0123456789", "runpy, string"),
    called("runpy of the harness", "run the server's own module", "return runpy.run_module('nucleate_guest', {}, '__main__')", fails("SystemExit", "IndexError", "ImportError", "FileNotFoundError", "ValueError"), "return runpy.run_module('string')['digits'][:2]", "01", "runpy"),
    called("zipimport", "import from an archive that does not exist", "return zipimport.zipimporter('/tmp/x.zip')", fails("ZipImportError"), "return zipimport.ZipImportError.__name__", "ZipImportError", "zipimport"),
    called("import from the work folder", "put a module of its own on the path, for the calls to come", "open('/tmp/evil.py', 'w').write('x = 1')\nsys.path.insert(0, '/tmp')\nimport evil\nreturn evil.x", gives(1), "open('/tmp/fine.txt', 'w').write('x')\nreturn open('/tmp/fine.txt').read()", "x", "sys"),
    loaded("format walk", "read globals by a format string", "secret = 'mine'\ndef tool():\n    return '{0.__globals__[secret]}'.format(tool)\n", gives("mine"), "def tool():\n    return '{0:>4}|{name}'.format(7, name='x')\n", "   7|x"),
    loaded("format_map walk", "read globals by format_map", "secret = 'mine'\ndef tool():\n    return '{f.__globals__[secret]}'.format_map({'f': tool})\n", gives("mine"), "def tool():\n    return '{a}'.format_map({'a': 'b'})\n", "b"),
    called("Formatter.get_field", "walk by string.Formatter", "return type(string.Formatter().get_field('0.__class__.__base__', [()], {})[0]).__name__", gives("type"), "return string.Formatter().format('{0}', 'a')", "a", "string"),
    loaded("__format__", "run code while a value is formatted", "class F:\n    def __format__(self, spec):\n        return spec * 2\ndef tool():\n    return f'{F():ab}'\n", gives("abab"), "def tool():\n    return f'{3:02d}'\n", "03"),
    called("traceback frame", "climb to the harness and rewrite its modules' names", """
        f = sys._getframe()
        while f.f_back:
            f = f.f_back
        f.f_globals['main'] = None
        return 'main' in f.f_globals""", gives(True), "return sys._getframe().f_lineno", 3, "sys"),
    called("frame of the harness", "replace the harness's own answer function in its frames", """
        f = sys._getframe()
        while f and 'answer' not in f.f_globals:
            f = f.f_back
        f.f_globals['to_json'] = lambda value: 'forged'
        return 'mine'""", gives("mine"), "return sys._getframe().f_code.co_filename", "tool.py", "sys"),
    called("coroutine frame", "climb from a coroutine's frame", "async def c(): pass\nx = c()\nos = x.cr_frame.f_builtins['__import__']('os')\nx.close()\nreturn [os.getuid() > 0, dict(os.environ)]", gives([True, {}]), "async def c(): pass\nreturn c.__name__", "c"),
    called("exception frame", "take the harness's frames out of a traceback", """
        try:
            raise ValueError
        except ValueError as error:
            return error.__traceback__.tb_frame.f_back.f_globals['__name__'].split('.')[0]""", gives("nucleate_guest"),
        "try:\n    raise ValueError('x')\nexcept ValueError as error:\n    return str(error)", "x"),
    called("AttributeError.obj", "take an object out of an exception", "try:\n    env._x\nexcept AttributeError as e:\n    return repr(getattr(e, 'obj', None))", gives("env"), "try:\n    return (1).x\nexcept AttributeError:\n    return 'none'", "none"),
    called("channel of env", "take the channel out of the environment's object", "return type(env._channel).__name__", gives("Channel"), "return repr(env)", "env"),
    called("channel of env, by force", "the same past __getattr__", "object.__getattribute__(env, '_channel').send({'do': 'nonsense'})\nreturn 1", fails("ProtocolError"), "return repr(env.shop)", "env.shop"),
    called("except*", "hide a walk in an exception group", "seen = []\ntry:\n    raise ExceptionGroup('g', [ValueError('v')])\nexcept* ValueError as g:\n    seen.append(str(g.exceptions[0]))\nreturn seen", gives(["v"]), "try:\n    raise ValueError('v')\nexcept ValueError as g:\n    return [str(g)]", ["v"]),
    loaded("match class pattern", "read attributes by a class pattern", "def tool():\n    match tool:\n        case object(__globals__=g):\n            return '__builtins__' in g\n", gives(True), "def tool():\n    match {'a': 1}:\n        case {'a': x}:\n            return x\n", 1),
    loaded("match of a class of its own", "run code by __match_args__", "class A:\n    __match_args__ = ('x',)\n    @property\n    def x(self):\n        return __import__('os').getpid() > 1\ndef tool():\n    match A():\n        case A(x):\n            return x\n", gives(True), "def tool():\n    match [1, 2]:\n        case [a, b]:\n            return a + b\n", 3),
)  # fmt: skip

PROGRAMS = (*WALKS, *OTHERS)
