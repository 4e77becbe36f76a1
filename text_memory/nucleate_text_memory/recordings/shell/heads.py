"""The head of a command: the program and the words that say what it is to do, `git commit`; the rest is arguments."""

from __future__ import annotations

import re

# Programs whose first word says what they do, and those whose second word says more.
_BY_WORD = {
    "git", "npm", "pnpm", "yarn", "bun", "deno", "docker", "podman", "kubectl", "helm", "pip", "pip3",
    "uv", "poetry", "pdm", "pipenv", "conda", "cargo", "rustup", "go", "gh", "glab", "aws", "gcloud",
    "az", "terraform", "brew", "apt", "apt-get", "dnf", "yum", "apk", "systemctl", "dotnet", "flutter",
    "dart", "vercel", "netlify", "heroku", "fly", "wrangler", "supabase", "prisma", "alembic", "rails",
    "bundle", "composer", "nx", "turbo", "changeset", "jj", "hg", "svn", "twine", "hatch", "tox",
    "nucleate", "docker-compose", "ansible", "pulumi", "serverless", "firebase",
}  # fmt: skip
_BY_TWO = {
    "npm run", "pnpm run", "yarn run", "bun run", "deno task", "uv run", "uv pip", "uv tool",
    "poetry run", "pdm run", "pipenv run", "docker compose", "docker image", "docker container",
    "docker volume", "docker network", "gh pr", "gh issue", "gh run", "gh repo", "gh release",
    "gh workflow", "gh secret", "glab mr", "glab ci", "git remote", "git stash", "git submodule",
    "git worktree", "git bisect", "kubectl rollout", "helm repo", "go mod", "hatch run", "dotnet tool",
    "conda env", "bundle exec", "terraform state", "terraform workspace",
}  # fmt: skip
_SERVICES = frozenset({"aws", "gcloud", "az"})
_WITH_VALUE = {
    "-C", "-c", "--git-dir", "--work-tree", "--prefix", "-n", "--namespace", "--context", "-H",
    "--cwd", "-w", "--filter", "--workspace", "--project", "--profile", "--region", "--kubeconfig",
    "-f", "--file", "--directory", "-R", "--repo",
}  # fmt: skip
_BEFORE = frozenset({"sudo", "time", "nohup", "env", "command", "exec", "nice", "timeout", "stdbuf", "doas"})
_MODULE = re.compile(r"python[\d.]*|py")
_PLAIN = re.compile(r"[A-Za-z0-9][\w:.@/+-]*")


def head_of(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return (what goes before, the head's words, the arguments): `sudo git -C x push o` → sudo; git push; -C x o."""
    before, rest = _before(words)
    program = rest[0].rpartition("/")[2] or rest[0]
    if _MODULE.fullmatch(program) and len(rest) > 2 and rest[1] == "-m":
        return before, (program, "-m", rest[2]), rest[3:]
    if program not in _BY_WORD:
        return before, (program,), rest[1:]
    head, arguments = [program], list[str]()
    index = 1
    while index < len(rest) and len(head) < _longest(head):
        word = rest[index]
        if word.startswith("-"):
            taken = 2 if word in _WITH_VALUE and index + 1 < len(rest) else 1
            arguments += rest[index : index + taken]
            index += taken
        elif _PLAIN.fullmatch(word) and "/" not in word:
            head.append(word)
            index += 1
        else:
            break
    return before, tuple(head), (*arguments, *rest[index:])


def _longest(head: list[str]) -> int:
    return 3 if head[0] in _SERVICES or " ".join(head[:2]) in _BY_TWO else 2


def _before(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split off `sudo`, `time`, `timeout 60` and their options, as long as a program follows."""
    index = 0
    while index < len(words) - 1 and words[index] in _BEFORE:
        index += 1
        while index < len(words) - 1 and (words[index].startswith("-") or re.fullmatch(r"[\d.]+[smh]?", words[index])):
            index += 1
    return words[:index], words[index:]
