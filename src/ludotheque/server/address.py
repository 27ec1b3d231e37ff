"""The server's addresses in the local network and for invitations, as text and as QR codes."""

import io
import ipaddress
import socket
from contextlib import closing

import segno


def qr(text: str) -> str:
    """A QR code as an SVG that fits its frame and needs no style."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, border=2, scale=4, omitsize=True, dark="#000", light="#fff"
    )
    return out.getvalue().decode().strip()


def local_addresses() -> list[str]:
    """This machine's addresses in its networks. Nothing is sent: connecting a datagram socket only chooses a route."""
    found: list[str] = []
    for family, target in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with closing(socket.socket(family, socket.SOCK_DGRAM)) as probe:
                probe.connect((target, 9))
                address = ipaddress.ip_address(probe.getsockname()[0])
        except OSError:
            continue  # no such network here
        if not address.is_loopback and not address.is_link_local and str(address) not in found:
            found.append(str(address))
    return found


def urls(host: str, port: int, public: str | None) -> list[str]:
    """Addresses at which others reach the page: the public one if there is one, otherwise those it listens on."""
    if public is not None:
        return [public if public.endswith("/") else public + "/"]
    try:
        one = ipaddress.ip_address(host)
    except ValueError:
        return [f"http://{host}:{port}/"] if host != "localhost" else []
    if one.is_loopback:
        return []
    # A server that listens on 0.0.0.0 does not answer at an IPv6 address.
    addresses = [it for it in local_addresses() if one.version == 6 or ":" not in it] if one.is_unspecified else [host]
    return [f"http://{f'[{address}]' if ':' in address else address}:{port}/" for address in addresses]
