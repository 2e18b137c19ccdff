"""Attacks over the network. The witness listens at TCP and UDP `place.port` and at an abstract socket of its number."""

import contextlib
import socket

from .register import PLAYS_ON, attack, done

kept = []


@attack(PLAYS_ON)
def connects(place):
    """Connects to a server on this machine."""
    for family, where in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        with contextlib.suppress(OSError), socket.socket(family) as link:
            link.settimeout(0.2)
            link.connect((where, place.port))
            done("connected to " + where)


@attack(PLAYS_ON)
def abstract_sockets(place):
    """Connects to a socket that has no file, and takes the names with which runners claim their cores."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as link:
        link.connect(f"\0tengen-attack {place.port}")
        done("connected to an abstract socket")
    for core in range(900, 910):
        with contextlib.suppress(OSError):
            claim = socket.socket(socket.AF_UNIX)
            claim.bind(f"\0tengen core {core}")
            kept.append(claim)


@attack(PLAYS_ON)
def strange_sockets(place):
    """Raw, packet, netlink and vsock sockets."""
    for family, kind, number in ((socket.AF_INET, socket.SOCK_RAW, 1), (socket.AF_PACKET, socket.SOCK_RAW, 3)):
        with contextlib.suppress(OSError), socket.socket(family, kind, number) as link:
            link.sendto(b"ATTACK" * 20, ("lo", 0) if family == socket.AF_PACKET else ("127.0.0.1", 0))
            done("sent a raw packet")
    with contextlib.suppress(OSError, AttributeError), socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as link:
        link.settimeout(0.2)
        link.connect((2, 1024))
        done("connected to the hypervisor")
