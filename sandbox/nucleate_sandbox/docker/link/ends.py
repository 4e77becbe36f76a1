"""What the host holds of one child from before it is forked: a private channel and the ends of two output pipes."""

from __future__ import annotations

import array
import os
import socket
from dataclasses import dataclass

NEXT = b"next"  # end the program, if one is there, and fork a child behind it
END = b"end"
LOOK = b"look"


@dataclass(frozen=True, kw_only=True)
class Ends:
    """The channel, and where output and errors are read."""

    channel: socket.socket
    streams: tuple[int, int]

    def close(self) -> None:
        """Release the descriptors."""
        self.channel.close()
        for descriptor in self.streams:
            os.close(descriptor)


def order_child(control: socket.socket) -> Ends:
    """Have the server fork a child with a new channel and pipes; raise OSError when the server is gone."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    (out_read, out_write), (error_read, error_write) = os.pipe(), os.pipe()
    ends = Ends(channel=here, streams=(out_read, error_read))
    try:
        rights = array.array("i", [there.fileno(), out_write, error_write])
        control.sendmsg([NEXT], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    except OSError:
        ends.close()
        raise
    finally:
        there.close()
        os.close(out_write)
        os.close(error_write)
    return ends
