"""A shop's back office to try things on: seeded, in memory, forkable."""

from nucleate.shop.office import open_shop

__all__ = ["open_shop"]
