"""Calls that never ran because a person, or a rule of theirs, said no: no error of the environment."""

from __future__ import annotations

import re

_REFUSED = re.compile(
    r"\W{0,3}(?:error: |tool (?:use|call) )?(?:"
    r"the user (?:doesn't want|does not want|rejected|denied|declined|cancell?ed|dismissed|chose not|did not allow"
    r"|has specified a rule)"
    r"|user (?:rejected|denied|declined|cancell?ed|aborted|did not allow|refused|does not want|doesn't want)"
    r"|(?:exec |shell |tool |this )?(?:command |call |patch |action |use |operation )?(?:was )?"
    r"(?:rejected|aborted|denied|declined|cancell?ed) by (?:the )?user"
    r"|operation cancelled\]|\[operation cancelled|request interrupted by user|\[request interrupted by user"
    r"|claude requested permissions? to |permission to use [^\n]{1,80} (?:has been|was) denied"
    r"|(?:this tool|tool execution|tool) (?:was )?(?:denied|rejected|cancell?ed) by (?:the )?user)",
    re.IGNORECASE,
)


def is_refusal(text: str) -> bool:
    """Return whether an answer says that the user did not let the call happen, or ended it."""
    return _REFUSED.match(text[:300]) is not None
