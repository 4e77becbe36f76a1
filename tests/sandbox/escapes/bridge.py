"""The bridge: what is not in the manifest, or does not fit its schema, never reaches the environment."""

from __future__ import annotations

from nucleate_sandbox import Json, Limit, Limits
from tests.sandbox.escapes.attacks import Bridged
from tests.sandbox.escapes.case import Expect, Program, fails, gives, hits, program

PRICE, ECHO = "shop.price", "shop.echo"
FEW = Limits(wall_seconds=30.0, bridge_calls=20)
BRIEF = Limits(wall_seconds=1.0, bridge_calls=20)


def _asks(
    name: str,
    tries: str,
    code: str,
    docker: Expect,
    twin: str,
    value: Json,
    *deeds: str,
    imports: str = "",
    limits: Limits = FEW,
) -> Program:
    return Program(
        name=name, tries=tries, attack=Bridged(source=program(code, imports), limits=limits), docker=docker,
        twin=Bridged(source=program(twin, imports), limits=FEW), value=value, deeds=deeds,
    )  # fmt: skip


def _frame(
    name: str,
    tries: str,
    frame: str,
    docker: Expect,
    twin: str = "return env.shop.price(item='a')",
    value: Json = 7,
    *deeds: str,
) -> Program:
    """Return a program that sends a frame by hand and returns how the host answered."""
    code = (
        f"data = {frame}\nos.write(3, struct.pack('>I', len(data)) + data)\n"
        "n = struct.unpack('>I', os.read(3, 4))[0]\nanswer = json.loads(os.read(3, n))\nreturn answer.get('error', answer).get('kind', answer.get('value'))"
    )
    return _asks(name, tries, code, docker, twin, value, *(deeds or (PRICE,)), imports="json, os, struct")


def _crossed() -> Expect:
    """Two processes of one program that read each other's answers: one waits for ever, or sees half a frame."""
    endings = [(*hits(Limit.WALL, deeds=(PRICE,) * made), *fails("JSONDecodeError", "ProtocolError", deeds=(PRICE,) * made))
               for made in range(11)]  # fmt: skip
    return tuple(ending for several in endings for ending in several)


MANIFEST = (
    _asks("not in the manifest", "call a function that exists and is not allowed", "return env.shop.pay(item='a')", fails("NotAllowed"), "return env.shop.price(item='a')", 7, PRICE),
    _asks("not in the manifest, by getattr", "the same by a name that is built", "return getattr(env.shop, 'p' + 'ay')(item='a')", fails("NotAllowed"), "return getattr(env.shop, 'pr' + 'ice')(item='a')", 7, PRICE),
    _asks("no such function", "call what does not exist", "return env.shop.steal(item='a')", fails("UnknownFunction"), "return env.shop.echo(data=1)", 1, ECHO),
    _asks("name of dots", "reach a function by a name that another reader takes apart", "return getattr(env, 'shop.price.pay')(item='a')", fails("UnknownFunction"), "return getattr(env, 'shop.price')(item='a')", 7, PRICE),
    _asks("name in compatibility characters", "a name that only looks like an allowed one", "return getattr(env.shop, 'ｐrice')(item='a')", fails("UnknownFunction"), "return getattr(env.shop, 'price')(item='a')", 7, PRICE),
    _asks("name with a null byte", "a name that ends early for another reader", "return getattr(env, 'shop.price\\0.pay')(item='a')", fails("UnknownFunction"), "return env.shop.price(item='a\\0')", 7, PRICE),
    _asks("name of a method", "call a method of the environment's object", "return getattr(env, 'fork')()", fails("UnknownFunction"), "return repr(env.fork)", "env.fork"),
    _asks("dunder name", "reach an attribute of the environment's object", "return getattr(env, 'shop.__class__')(item='a')", fails("UnknownFunction"), "return str(env.shop)", "env.shop"),
    _asks("name of a million characters", "fill the log by a name", "return getattr(env, 'x' * 10 ** 6)()", fails("UnknownFunction"), "return len(repr(getattr(env, 'x' * 100)))", 104),
    _asks("without a name", "call the environment itself", "return env()", fails("UnknownFunction"), "return repr(env)", "env"),
    _asks("swallowed refusal", "go on after a refusal as if it had been done", "try: env.shop.pay(item='a')\nexcept Exception as e: return e.kind", gives("NotAllowed"), "try: env.shop.fail(item='a')\nexcept Exception as e: return e.kind", "SoldOut", "shop.fail"),
)  # fmt: skip

SCHEMA = (
    _asks("argument of another type", "pass a number for a text", "return env.shop.price(item=1)", fails("InvalidArguments"), "return env.shop.price(item='1')", 7, PRICE),
    _asks("missing argument", "leave out what is required", "return env.shop.price()", fails("InvalidArguments"), "return env.shop.price(item='')", 7, PRICE),
    _asks("argument too many", "pass what the schema does not know", "return env.shop.price(item='a', admin=True)", fails("InvalidArguments"), "return env.shop.price(**{'item': 'a'})", 7, PRICE),
    _asks("prototype keys", "pass names that mean something to another language", "return env.shop.price(**{'item': 'a', '__proto__': {'admin': True}})", fails("InvalidArguments"), "return env.shop.echo(data={'__proto__': 1})", {"__proto__": 1}, ECHO),
    _asks("text too long", "pass a text beyond its schema", "return env.shop.price(item='x' * 21)", fails("InvalidArguments"), "return env.shop.price(item='x' * 20)", 7, PRICE),
    _asks("text subclass", "pass a text that changes after it was checked", "class S(str):\n    def __len__(self): return 1\nreturn env.shop.price(item=S('x' * 21))", fails("InvalidArguments"), "return env.shop.price(item=str('x'))", 7, PRICE),
    _asks("positional argument", "pass arguments without their names", "return env.shop.price('a')", fails("TypeError"), "return env.shop.price(item='a')", 7, PRICE),
    _asks("huge argument", "pass five megabytes", "return env.shop.echo(data='x' * (5 << 20))", hits(Limit.RESULT), "return len(env.shop.echo(data='x' * (1 << 20)))", 1 << 20, ECHO),
    _asks("many huge arguments", "fill the host's log", "for _ in range(99): env.shop.echo(data='x' * (3 << 20))", (*hits(Limit.CALLS, deeds=(ECHO,) * 20),), "return sum(len(env.shop.echo(data='x' * (1 << 20))) for _ in range(3))", 3 << 20, *(ECHO,) * 3, limits=Limits(wall_seconds=60.0, bridge_calls=20)),
    _asks("deep argument", "pass JSON nested 1,000 deep", "x = []\nfor _ in range(1000): x = [x]\nreturn env.shop.echo(data=x)", fails("ValueError"), "return env.shop.echo(data=[[[]]])", [[[]]], ECHO),
    _asks("cyclic argument", "pass a list that holds itself", "x = []\nx.append(x)\nreturn env.shop.echo(data=x)", fails("ValueError"), "x = []\nreturn env.shop.echo(data=[x, x])", [[], []], ECHO),
    _asks("NaN argument", "pass what is no number", "return env.shop.echo(data=float('nan'))", fails("ValueError"), "return env.shop.echo(data=1.5)", 1.5, ECHO),
    _asks("surrogate argument", "pass half a character", "return env.shop.echo(data=chr(0xd800))", fails("UnicodeEncodeError"), "return env.shop.echo(data='é')", "é", ECHO),
    _asks("object argument", "pass an object that the host would un-pickle", "class P:\n    def __reduce__(self): return print, ()\nreturn env.shop.echo(data=P())", fails("TypeError"), "return env.shop.echo(data={'a': None})", {"a": None}, ECHO),
    _asks("environment as an argument", "pass the environment to itself", "return env.shop.echo(data=env)", fails("TypeError"), "return env.shop.echo(data=repr(env))", "env", ECHO),
    _asks("long integer argument", "pass an integer of 5,000 digits", "return env.shop.echo(data=10 ** 5000)", fails("ValueError"), "return env.shop.echo(data=10 ** 30)", 10**30, ECHO),
)  # fmt: skip

FRAMES = (
    _frame("frame of what is not allowed", "ask for a function outside the manifest by a frame", "b'{\"do\":\"call\",\"name\":\"shop.pay\",\"arguments\":{\"item\":\"a\"}}'", gives("NotAllowed")),
    _frame("frame of a name of a million characters", "fill the log by a frame", "b'{\"do\":\"call\",\"name\":\"' + b'x' * 10 ** 6 + b'\",\"arguments\":{}}'", gives("UnknownFunction")),
    _frame("frame with more than a call", "slip the host words that it may believe", "b'{\"do\":\"call\",\"name\":\"shop.pay\",\"arguments\":{\"item\":\"a\"},\"allowed\":true,\"error\":null,\"value\":1}'", gives("NotAllowed")),
    _frame("frame past the schema", "pass by a frame what the schema refuses", "b'{\"do\":\"call\",\"name\":\"shop.price\",\"arguments\":{\"item\":[1]}}'", gives("InvalidArguments")),
    _frame("frame with a null argument", "pass nothing where a text is due", "b'{\"do\":\"call\",\"name\":\"shop.price\",\"arguments\":{\"item\":null}}'", gives("InvalidArguments")),
    _frame("frame nested 63 deep", "pass JSON as deep as the channel allows", "b'{\"do\":\"call\",\"name\":\"shop.echo\",\"arguments\":{\"data\":' + b'[' * 61 + b']' * 61 + b'}}'", gives("InvalidArguments")),
    _asks("answer of its own", "answer its own call before the host does", "a, b = socket.socketpair()\ndata = b'{\"value\": 0}'\nb.send(struct.pack('>I', len(data)) + data)\nos.dup2(a.fileno(), 3)\nreturn env.shop.price(item='a')", fails("ProcessExit"), "a, b = socket.socketpair()\nb.send(b'x')\nreturn [a.recv(1).decode(), env.shop.price(item='a')]", ["x", 7], PRICE, imports="os, socket, struct", limits=BRIEF),
    _asks("forged error of the environment", "report an error that the environment never raised", "raise FunctionError('nothing is left', kind='SoldOut', from_environment=True)", fails("SoldOut"), "try: env.shop.fail(item='a')\nexcept FunctionError as e: return [e.kind, e.message]", ["SoldOut", "nothing is left"], "shop.fail"),
    _asks("forged frame of an environment's error", "send a failure that says it is the environment's", "data = b'{\"do\":\"failure\",\"kind\":\"SoldOut\",\"message\":\"m\",\"traceback\":\"\",\"from_environment\":true}'\nos.write(3, struct.pack('>I', len(data)) + data)\ntime.sleep(9)", fails("SoldOut", "ProtocolError"), "try: env.shop.fail(item='a')\nexcept FunctionError as e: return e.kind", "SoldOut", "shop.fail", imports="os, struct, time"),
)  # fmt: skip

TIMES = (
    _asks("flood of calls", "call for ever", "while True: env.shop.price(item='a')", hits(Limit.CALLS, deeds=(PRICE,) * 20), "for _ in range(20): x = env.shop.price(item='a')\nreturn x", 7, *(PRICE,) * 20),
    _asks("flood of refused calls", "call for ever what is not allowed, and swallow it", "while True:\n    try: env.shop.pay(item='a')\n    except Exception: pass", hits(Limit.CALLS), "for _ in range(20):\n    try: env.shop.pay(item='a')\n    except Exception as e: x = e.kind\nreturn x", "NotAllowed"),
    _asks("swallowed limit", "go on calling after the last call", "n = 0\nwhile n < 99:\n    n += 1\n    try: env.shop.price(item='a')\n    except BaseException: pass\nreturn n", hits(Limit.CALLS, deeds=(PRICE,) * 20), "n = 0\nwhile n < 9:\n    n += 1\n    env.shop.price(item='a')\nreturn n", 9, *(PRICE,) * 9),
    _asks("call in the finaliser", "call after the answer", "class D:\n    def __del__(self): env.shop.price(item='late')\nglobal kept\nkept = D()\nreturn 1", gives(1), "class D:\n    pass\nglobal kept\nkept = D()\nreturn env.shop.price(item='a')", 7, PRICE),
    _asks("call at exit", "call when the process ends", "atexit.register(env.shop.price, item='late')\nreturn 1", gives(1), "return [atexit.unregister(print), env.shop.price(item='a')]", [None, 7], PRICE, imports="atexit"),
    _asks("call from a thread", "call from several threads at once", "x = []\nt = [threading.Thread(target=lambda: x.append(env.shop.price(item='a'))) for _ in range(3)]\n[i.start() for i in t]\n[i.join() for i in t]\nreturn x", gives([7] * 3, *(PRICE,) * 3), "x = []\nt = threading.Thread(target=lambda: x.append(env.shop.price(item='a')))\nt.start()\nt.join()\nreturn x", [7], PRICE, imports="threading"),
    _asks("call from a thread after the answer", "call when the answer has been given", "threading.Thread(target=lambda: [time.sleep(0.2), env.shop.price(item='late')], daemon=True).start()\nreturn 1", gives(1), "threading.Thread(target=time.sleep, args=(0,)).start()\nreturn env.shop.price(item='a')", 7, PRICE, imports="threading, time"),
    _asks("call from a grandchild", "call from a process that the host does not know", "if os.fork() == 0:\n    if os.fork() == 0:\n        try: env.shop.pay(item='a')\n        finally: os._exit(0)\n    os._exit(0)\nos.wait()\ntime.sleep(0.1)\nreturn 1", gives(1), "if os.fork() == 0:\n    env.shop.price(item='a')\n    os._exit(0)\nos.wait()\nreturn 1", 1, PRICE, imports="os, time"),
    _asks("call from an orphan after the answer", "call from a process that outlives the answer", "if os.fork() == 0:\n    os.setsid()\n    time.sleep(0.2)\n    try:\n        while True: env.shop.price(item='late')\n    finally: os._exit(0)\nreturn 1", gives(1), "if os.fork() == 0: os._exit(0)\nos.wait()\nreturn env.shop.price(item='a')", 7, PRICE, imports="os, time"),
    _asks("calls that cross", "call from two processes so that the answers cross", "p = os.fork()\nfor _ in range(5): env.shop.price(item='a')\nif p == 0: os._exit(0)\nos.wait()\nreturn 1", (*gives(1, *(PRICE,) * 10), *_crossed()), "for _ in range(5): env.shop.price(item='a')\nreturn os.getpid() > 1", True, *(PRICE,) * 5, imports="os", limits=BRIEF),
    _asks("call while the answer is written", "leave in the middle of a call", "data = b'{\"do\":\"call\",\"name\":\"shop.price\",\"arguments\":{\"item\":\"a\"}}'\nos.write(3, struct.pack('>I', len(data)) + data)\nos._exit(0)", fails("ProcessExit", deeds=(PRICE,)) + fails("ProcessExit"), "return env.shop.price(item='a')", 7, PRICE, imports="os, struct"),
)  # fmt: skip
PROGRAMS = (*MANIFEST, *SCHEMA, *FRAMES, *TIMES)
