"""Deeds over the network. The witness listens at TCP and UDP `place.port` and at an abstract socket of that number."""

import contextlib
import os
import socket

from .register import PLAYS_ON, deed, done


@deed(PLAYS_ON)
def connects(place):
    """Connects to a server on this machine."""
    for family, where in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        with contextlib.suppress(OSError), socket.socket(family) as link:
            link.settimeout(0.2)
            link.connect((where, place.port))
            done("connected to " + where)


@deed(PLAYS_ON)
def sends_datagrams(place):
    """Sends by UDP to this machine and to the world."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.settimeout(0.2)
        link.sendto(b"DEED", ("127.0.0.1", place.port))
        link.sendto(b"DEED", ("192.0.2.1", 53))
        done("sent a datagram into the world")


@deed(PLAYS_ON)
def listens(place):
    """Listens on all addresses, which the witness tries to reach."""
    with contextlib.suppress(OSError):
        server = socket.socket()
        server.bind(("0.0.0.0", place.port + 1))
        server.listen(1)
        server.set_inheritable(True)
        listens.server = server


@deed(PLAYS_ON)
def abstract_sockets(place):
    """Connects to a socket that has no file, and takes the names with which runners claim their cores."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as link:
        link.connect(f"\0tengen-deed {place.port}")
        done("connected to an abstract socket")
    for core in range(900, 910):
        with contextlib.suppress(OSError):
            claim = socket.socket(socket.AF_UNIX)
            claim.bind(f"\0tengen core {core}")
            setattr(listens, f"claim{core}", claim)


@deed(PLAYS_ON)
def sockets_in_files(place):
    """Connects to a socket in the host's folder and to the machine's services."""
    for path in (
        os.path.join(place.host, "socket"),
        "/run/docker.sock",
        "/run/dbus/system_bus_socket",
        "/run/systemd/private",
        "/var/run/nscd/socket",
    ):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as link:
            link.settimeout(0.2)
            link.connect(path)
            done("connected to " + path)


@deed(PLAYS_ON)
def names_of_the_world(place):
    """Asks the name servers of /etc/resolv.conf."""
    servers = ["192.0.2.53"]
    with contextlib.suppress(OSError), open("/etc/resolv.conf") as file:
        servers += [line.split()[1] for line in file if line.startswith("nameserver")]
    for server in servers:
        with contextlib.suppress(OSError, IndexError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
            link.settimeout(0.2)
            link.sendto(b"\0\1\1\0\0\1\0\0\0\0\0\0\7example\3com\0\0\1\0\1", (server, 53))
            if link.recv(512):
                done("got a name from " + server)


@deed(PLAYS_ON)
def strange_sockets(place):
    """Raw, packet, netlink and vsock sockets."""
    for family, kind, number in ((socket.AF_INET, socket.SOCK_RAW, 1), (socket.AF_PACKET, socket.SOCK_RAW, 3)):
        with contextlib.suppress(OSError), socket.socket(family, kind, number) as link:
            link.sendto(b"DEED" * 20, ("lo", 0) if family == socket.AF_PACKET else ("127.0.0.1", 0))
            done("sent a raw packet")
    with contextlib.suppress(OSError, AttributeError), socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as link:
        link.settimeout(0.2)
        link.connect((2, 1024))
        done("connected to the hypervisor")
