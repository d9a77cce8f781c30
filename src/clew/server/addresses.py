"""Where a request comes from: what trusted proxies say of it, and the network that it is counted by."""

from __future__ import annotations

import functools
import ipaddress

from starlette.types import Scope

NEAR = tuple(  # this machine, and networks that the internet does not reach
    ipaddress.ip_network(network)
    for network in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1", "fc00::/7", "fe80::/10")
)


class Proxies:
    """The proxies whose X-Forwarded-For and X-Forwarded-Proto are believed; by default nobody's are.

    Each proxy adds the address that it was called from at the end, so only the end is to be trusted. With a list of
    networks, hops are followed back to the first that no network has. Without one, only a proxy on this machine or
    in a private network is believed, and only its own hop.
    """

    def __init__(self, behind_proxy: bool, networks: tuple[str, ...] = ()) -> None:
        self._networks = tuple(ipaddress.ip_network(network, strict=False) for network in networks)
        self._believed = behind_proxy or bool(networks)

    def trust(self, host: str) -> bool:
        """Whether this is a proxy that is believed."""
        if not self._believed:
            return False
        address = _read(host)
        if address is None:
            return host == ""  # a socket in the file system has no address
        return any(address in network for network in self._networks or NEAR)

    def seen_through(self, scope: Scope) -> Scope:
        """The request as it came to the outermost proxy that is believed."""
        peer, port = scope.get("client") or ("", 0)
        if not self.trust(peer):
            return scope
        said = {b"x-forwarded-for": "", b"x-forwarded-proto": ""}
        for name, value in scope["headers"]:
            if name in said:
                said[name] += "," + value.decode("latin-1")
        host = self._client(peer, said[b"x-forwarded-for"].split(","))
        scheme = said[b"x-forwarded-proto"].rpartition(",")[2].strip().lower()
        if scheme not in ("http", "https"):
            scheme = scope["scheme"]
        elif scope["type"] == "websocket":
            scheme = scheme.replace("http", "ws")
        return {**scope, "client": (host, port), "scheme": scheme}

    def _client(self, peer: str, hops: list[str]) -> str:
        client = peer
        for hop in reversed(hops):
            address = _read(hop)
            if address is None:
                break
            client = str(address)
            if not self._networks or not self.trust(client):
                break
        return client


def address(scope: Scope) -> str:
    """The network that a request is counted by."""
    client = scope.get("client")
    return network(client[0]) if client else "local"


@functools.lru_cache(10_000)
def network(host: str) -> str:
    """An address of IPv4 as it is, one of IPv6 as the /64 that one household or one server has to itself.

    >>> network("198.51.100.7"), network("::ffff:198.51.100.7"), network("2001:db8:1:2:3:4:5:6")
    ('198.51.100.7', '198.51.100.7', '2001:db8:1:2::/64')
    """
    found = _read(host)
    if found is None:
        return host
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else str(found)


def _read(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An address, also with a port or a zone; None if it is none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
