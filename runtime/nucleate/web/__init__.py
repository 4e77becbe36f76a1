"""The page: what agents did, what was learned, why each tool exists, and the few decisions that need a person."""

from nucleate.web.application import make_web_app
from nucleate.web.gatekeeping import HostNames
from nucleate.web.sessions import WebAccess, WebRole, read_roles
from nucleate.web.site import Site

__all__ = ["HostNames", "Site", "WebAccess", "WebRole", "make_web_app", "read_roles"]
