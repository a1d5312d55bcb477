"""The live page of a crowd: served while its object lives, by threads that need no interpreter."""

from __future__ import annotations

import base64
import gc
import json
import os
import socket
import struct
import threading
import urllib.request
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit

import numpy as np
import pytest
from conftest import crowd_of

import pleach

TREE = """
action go()
var ammo: int = 6
tree main { sequence { action go  set ammo -= 1 } }
"""


class Page:
    """Connection of a page: a client of WebSocket that reads texts and writes texts."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None and parts.port is not None
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=60)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        origin = f"http://{parts.netloc}"
        self.socket.sendall(
            f"GET /live?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\nOrigin: {origin}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        assert b" 101 " in self.file.readline()
        while self.file.readline().strip():
            pass

    def send(self, command: dict[str, Any]) -> None:
        data = json.dumps(command).encode()
        assert len(data) < 126
        self.socket.sendall(bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data)

    def read(self) -> dict[str, Any]:
        kind, length = self.file.read(2)
        if length == 126:
            (length,) = struct.unpack(">H", self.file.read(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self.file.read(8))
        data = self.file.read(length)
        message: dict[str, Any] = json.loads(data) if kind == 0x81 else {"type": "end"}
        return message

    def until(self, kind: str) -> dict[str, Any]:
        while True:
            message = self.read()
            assert message["type"] != "end", f"the page has ended before {kind}"
            if message["type"] == kind:
                return message

    def is_ended(self) -> bool:
        """Read to the end."""
        try:
            while self.file.read(4096):
                pass
        except ConnectionResetError:
            pass
        return True

    def close(self) -> None:
        self.file.close()
        self.socket.close()


def ticked(crowd: pleach.Crowd, page: Page, kind: str) -> dict[str, Any]:
    """Tick a crowd in another thread until the page has a message."""
    over = threading.Event()

    def tick() -> None:
        while not over.is_set():
            crowd.run(1, dt=50)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        return page.until(kind)
    finally:
        over.set()
        thread.join()


def test_a_page_sees_the_agents_and_changes_them(host: pleach.Host) -> None:
    host.action("go")(lambda call: np.full(len(call), pleach.SUCCESS))
    crowd = crowd_of(TREE, host, agents=5)
    with crowd.view(sources={"text.pleach": TREE}) as view:
        with urllib.request.urlopen(view.url) as answer:
            assert b"<html" in answer.read()[:200].lower()
        assert view.url in view._repr_html_() and not view.is_watched
        page = Page(view.url)
        program = page.until("program")
        assert program["files"][0]["text"] == TREE and program["variables"][0]["name"] == "ammo"
        assert ticked(crowd, page, "agents")["index"] == [0, 1, 2, 3, 4]
        assert view.is_watched
        page.send({"do": "pick", "agent": 3, "id": 1})
        assert ticked(crowd, page, "answer") == {"type": "answer", "id": 1, "ok": True}
        assert ticked(crowd, page, "agent")["agent"] == 3
        page.send({"do": "set", "agent": 2, "variable": 0, "value": 1_000_000, "id": 2})
        assert ticked(crowd, page, "answer")["ok"]
        assert crowd["ammo"][2] > 900_000 and (np.delete(crowd["ammo"], 2) < 7).all()
    assert page.is_ended()
    page.close()
    with pytest.raises(URLError):
        urllib.request.urlopen(view.url, timeout=5)


def test_watching_changes_no_result(host: pleach.Host) -> None:
    host.scripted("go", success=0.3, failure=0.2)
    crowds = [crowd_of(TREE, host, agents=600, seed=4) for _ in range(2)]
    with crowds[0].view():
        tallies = [crowd.run(20, dt=50) for crowd in crowds]
    assert tallies[0] == tallies[1]
    np.testing.assert_array_equal(crowds[0]["ammo"], crowds[1]["ammo"])


def test_a_view_ends_when_it_is_dropped_and_a_crowd_has_one(host: pleach.Host) -> None:
    host.scripted("go")
    crowd = crowd_of(TREE, host, agents=2)
    view = crowd.view()
    with pytest.raises(pleach.BusyError, match="a view already"):
        crowd.view()
    page = Page(view.url)
    page.until("hello")
    del view
    gc.collect()
    assert page.is_ended()
    page.close()
    again = crowd.view()
    again.close()
    again.close()
    with crowd.view(), pytest.raises(OSError, match="cannot serve"):
        crowd_of(TREE, host).view("192.0.2.1")
    crowd.tick(0)


def test_a_leaf_cannot_close_the_view_of_its_crowd(host: pleach.Host) -> None:
    @host.action("go")
    def go(call: pleach.Batch) -> int:
        view.close()
        return pleach.SUCCESS

    crowd = crowd_of(TREE, host)
    with crowd.view() as view, pytest.raises(pleach.LeafError) as caught:
        crowd.tick(0)
    assert isinstance(caught.value.__cause__, pleach.BusyError)


def test_a_reload_is_told_to_pages(host: pleach.Host) -> None:
    host.scripted("go")
    crowd = crowd_of(TREE, host, agents=3)
    with crowd.view() as view:
        page = Page(view.url)
        page.until("program")
        image = pleach.compile(text=TREE.replace("-= 1", "-= 2"), entry="main")
        crowd.reload(pleach.Program(image, host))
        assert page.until("reload")["kept"] == 3
        assert page.until("program")["revision"] == 2
        page.close()


def test_a_page_keeps_the_texts_of_trees_in_a_reload(host: pleach.Host) -> None:
    host.scripted("go")
    crowd = crowd_of(TREE, host, agents=3)
    (name,) = {node.file for node in crowd.program.image.nodes if node.file}
    texts = [TREE, TREE.replace("-= 1", "-= 2"), TREE.replace("-= 1", "-= 3")]
    programs = [pleach.Program(pleach.compile(text=text, entry="main"), host) for text in texts]
    with crowd.view(sources={name: texts[0]}) as view:
        page = Page(view.url)

        def told() -> list[str]:
            return [file["text"] for file in page.until("program")["files"]]

        assert told() == [texts[0]]
        crowd.reload(programs[1], sources={name: texts[1]})
        assert told() == [texts[1]]
        crowd.reload(programs[2])
        assert told() == [texts[1]]
        page.close()
