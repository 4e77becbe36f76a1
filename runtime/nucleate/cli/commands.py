"""The commands of `nucleate`: where each stands, and what it is for.

Each help is the first sentence of the command's own; a test holds them together.
"""

from __future__ import annotations

from nucleate.cli.deferred import CommandPlace, CommandPlaces, CommandTable

_ENV = CommandTable(
    "Environments by name: add, look, call, watch for drift.",
    {
        "add": CommandPlace(
            "nucleate.cli.env.env_group:add",
            "Connect to an environment, remember its functions and how it is reached; secrets stay references.",
        ),
        "list": CommandPlace(
            "nucleate.cli.env.env_group:list_environments",
            "List the environments that are known, by connection or from recordings alone.",
        ),
        "describe": CommandPlace(
            "nucleate.cli.env.env_group:describe",
            "Show an environment's functions as they were last seen, or one of them with its schemas.",
        ),
        "call": CommandPlace("nucleate.cli.env.env_group:call", "Call one function and print its result as JSON."),
        "drift": CommandPlace(
            "nucleate.cli.env.env_group:drift", "Compare an environment's functions with those last seen."
        ),
        "remove": CommandPlace("nucleate.cli.env.env_group:remove", "Forget how an environment is reached."),
        "approvals": CommandPlace(
            "nucleate.cli.env.env_group:approvals",
            "List the destructive calls that were asked for: what was said, and who said it.",
        ),
    },
)

_MEMORY = CommandTable(
    "Plans, facts and pitfalls: look, add, correct, forget.",
    {
        "list": CommandPlace("nucleate.cli.memory.memory_look:list_entries", "List the entries in force."),
        "search": CommandPlace("nucleate.cli.memory.memory_look:search", "Find the entries that fit a task."),
        "show": CommandPlace("nucleate.cli.memory.memory_look:show", "Show one entry with its evidence."),
        "history": CommandPlace(
            "nucleate.cli.memory.memory_look:history",
            "Show what was done to an entry and to its other versions, by whom and why.",
        ),
        "diff": CommandPlace("nucleate.cli.memory.memory_look:diff", "Show the fields in which two entries differ."),
        "as-of": CommandPlace(
            "nucleate.cli.memory.memory_look:as_of",
            "Show what was true at one moment, as far as it was known at another.",
        ),
        "stats": CommandPlace(
            "nucleate.cli.memory.memory_look:stats", "Count trajectories and entries, by kind and by status."
        ),
        "quarantine": CommandPlace(
            "nucleate.cli.memory.write:quarantine",
            "List what waits for an independent source, with the reason; release or reject it.",
        ),
        "add": CommandPlace(
            "nucleate.cli.memory.write:add",
            "Add an entry; a fact takes the place of another value of the same subject and predicate where both hold.",
        ),
        "revise": CommandPlace(
            "nucleate.cli.memory.write:revise",
            "Put a corrected entry in the place of one that was wrong; the old one stays readable.",
        ),
        "invalidate": CommandPlace(
            "nucleate.cli.memory.write:invalidate",
            "Let an entry guide nobody any more; it stays readable, with the reason.",
        ),
        "restore": CommandPlace(
            "nucleate.cli.memory.write:restore", "Bring back an entry that was invalidated or superseded."
        ),
        "forget": CommandPlace(
            "nucleate.cli.memory.write:forget",
            "Delete what an entry and its other versions say, for good; a stub without content stays for the audit.",
        ),
        "export": CommandPlace(
            "nucleate.cli.memory.write:export", "Write every entry, with its versions and events, as JSON Lines."
        ),
        "import": CommandPlace(
            "nucleate.cli.memory.write:import_",
            "Add exported entries that are not here yet; exit code 1 if a line was refused.",
        ),
        "reindex": CommandPlace(
            "nucleate.cli.memory.write:reindex",
            "Embed every valid entry anew: after a change of the embedding model.",
        ),
    },
)

_TOOLS = CommandTable(
    "The tool library: look, test, call.",
    {
        "list": CommandPlace(
            "nucleate.cli.tools.look:list_tools", "List the tools with their state, release and uses."
        ),
        "search": CommandPlace(
            "nucleate.cli.tools.look:search",
            "Find tools by what they do: by their signatures and docstrings, never by their bodies.",
        ),
        "show": CommandPlace(
            "nucleate.cli.tools.look:show",
            "Show a tool: source, signature, evidence, closure, capabilities, and the verdict with every gate.",
        ),
        "source": CommandPlace(
            "nucleate.cli.tools.look:source",
            "Print a tool's source, as it is stored: of the version in force, or of another one.",
        ),
        "diff": CommandPlace(
            "nucleate.cli.tools.look:diff", "Show how two versions of a tool differ; without versions, the latest two."
        ),
        "history": CommandPlace(
            "nucleate.cli.tools.look:history", "Show what was done to a tool, by whom and why, the oldest first."
        ),
        "refused": CommandPlace(
            "nucleate.cli.tools.look:refused", "List what was not admitted, with the findings that refused it."
        ),
        "graph": CommandPlace(
            "nucleate.cli.tools.graph:graph",
            "Show who calls what, down to environment functions; write it as DOT or SVG.",
        ),
        "trace": CommandPlace(
            "nucleate.cli.tools.trace:trace",
            "Show where a tool came from: plan, queries, steps, gates, and its history since.",
        ),
        "test": CommandPlace(
            "nucleate.cli.tools.use:judge", "Judge a tool again by all gates, on its stored evidence."
        ),
        "call": CommandPlace("nucleate.cli.tools.use:call", "Call a tool in the sandbox and print its value as JSON."),
        "pin": CommandPlace(
            "nucleate.cli.tools.change:pin",
            "Keep a tool as it is: nothing replaces, relinks, renames, merges or archives it.",
        ),
        "rename": CommandPlace(
            "nucleate.cli.tools.change:rename",
            "Give a tool another name, also in the source of those that call it; the old name leads on.",
        ),
        "alias": CommandPlace("nucleate.cli.tools.change:alias", "Let one more name lead to a tool."),
        "merge": CommandPlace(
            "nucleate.cli.tools.change:merge",
            "Let one tool stand for two; without a name, list the pairs whose descriptions say nearly the same.",
        ),
        "split": CommandPlace(
            "nucleate.cli.tools.change:split",
            "Put several tools of the library in the place of one, which is deprecated while it is called.",
        ),
        "archive": CommandPlace(
            "nucleate.cli.tools.change:archive", "Take tools that nobody calls out of the lists; they can be revived."
        ),
        "revive": CommandPlace(
            "nucleate.cli.tools.change:revive",
            "Bring an archived tool back as a candidate, with everything that was known of it.",
        ),
        "export": CommandPlace(
            "nucleate.cli.tools.exports:export", "Write tools into a folder as files that a person can edit and review."
        ),
        "import": CommandPlace(
            "nucleate.cli.tools.exports:import_",
            "Take an edited export back in: what changed is judged by every gate, after what it calls.",
        ),
        "verify": CommandPlace(
            "nucleate.cli.tools.release:verify",
            "Judge tools again that are suspect, or whose environment functions changed.",
        ),
        "promote": CommandPlace(
            "nucleate.cli.tools.release:promote",
            "Put the version on trial, or a tool that is out of service, into service on a person's word.",
        ),
        "demote": CommandPlace(
            "nucleate.cli.tools.release:demote",
            "Withdraw the version on trial, or take a tool out of service, on a person's word.",
        ),
        "rollback": CommandPlace(
            "nucleate.cli.tools.release:rollback",
            "Put an earlier version in force again, as a new version: a forward step.",
        ),
        "health": CommandPlace(
            "nucleate.cli.tools.release:health",
            "Show how much the library is used, how far each tool can be relied on, and what is on trial or suspect.",
        ),
        "audit": CommandPlace(
            "nucleate.cli.tools.release:audit",
            "Hold the tools in use against all stored runs: which do judged runs contradict?",
        ),
    },
)

_JOBS = CommandTable(
    "Background work: look, try again, cancel.",
    {
        "list": CommandPlace("nucleate.cli.jobs:list_jobs", "List jobs, newest first."),
        "show": CommandPlace(
            "nucleate.cli.jobs:show",
            "Show one job: state, tries, who has it, what was last wrong; of a review also what came of it.",
        ),
        "retry": CommandPlace(
            "nucleate.cli.jobs:retry", "Queue a job again that is dead, cancelled or waiting, as if it were new."
        ),
        "cancel": CommandPlace(
            "nucleate.cli.jobs:cancel",
            "Cancel a job that is queued or running; a running one ends at its next safe point.",
        ),
    },
)

_SANDBOX = CommandTable(
    "The Docker sandbox: build its image, look at it, clean up.",
    {
        "build": CommandPlace(
            "nucleate.cli.sandbox:build",
            "Build the sandbox image from this interpreter, without a registry of images; does nothing if it is there.",
        ),
        "lock": CommandPlace(
            "nucleate.cli.sandbox:show_lock",
            "Print a lock of the packages that Python files declare, with the hash of every file of them.",
        ),
        "status": CommandPlace(
            "nucleate.cli.sandbox:show_status", "Show the engine, the images and the containers that are ours."
        ),
        "clean": CommandPlace(
            "nucleate.cli.sandbox:remove", "Remove the containers whose owner is gone, and say which they were."
        ),
    },
)

_DB = CommandTable(
    "The database: copy it into another one, and look whether it is sound.",
    {
        "move": CommandPlace(
            "nucleate.cli.db:move",
            "Copy a library into another database, SQLite or PostgreSQL, and compare both by counts and hashes.",
        ),
        "check": CommandPlace(
            "nucleate.cli.db:check",
            "Show what every table holds, with a hash, and say what is wrong; exit code 1 where anything is.",
        ),
    },
)

_CONFIG = CommandTable(
    "The settings: what counts, and where it comes from.",
    {
        "show": CommandPlace(
            "nucleate.cli.config:show",
            "List every setting with its value and its source: default, file, variable or option.",
        )
    },
)

COMMANDS: CommandPlaces = {
    "demo": CommandPlace(
        "nucleate.cli.demo:demo", "Watch a scripted agent work, and recurring plans become tested tools."
    ),
    "run": CommandPlace("nucleate.cli.run.run:run", "Do a task with the built-in agent, and learn from it."),
    "ingest": CommandPlace(
        "nucleate.cli.ingest.ingest:ingest", "Read recorded trajectories in order and learn from each."
    ),
    "env": _ENV,
    "memory": _MEMORY,
    "tools": _TOOLS,
    "admit": CommandPlace(
        "nucleate.cli.admit.admit:admit",
        "Judge the tools of a repository by every gate, without agent, memory or model.",
    ),
    "worker": CommandPlace("nucleate.cli.worker:worker", "Do queued work: learn from tasks, codify plans, reflect."),
    "jobs": _JOBS,
    "serve": CommandPlace("nucleate.cli.serve:serve", "Serve tools and memory over MCP."),
    "web": CommandPlace("nucleate.cli.web:web", "Open the page: see the loop, judge the tools, take over."),
    "stats": CommandPlace(
        "nucleate.cli.stats:stats", "Show what was learned so far, what it is used for, and what it saved."
    ),
    "sandbox": _SANDBOX,
    "db": _DB,
    "config": _CONFIG,
    "init": CommandPlace("nucleate.cli.config:init", "Write a commented nucleate.toml into this folder."),
    "doctor": CommandPlace(
        "nucleate.cli.doctor:doctor",
        "Look at every part that the product stands on, and say the next step where one does not work.",
    ),
}
