"""A headless Chromium, driven over a pipe by its own protocol: nothing else has to be installed."""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_LIMIT = 120.0
"""Seconds that an answer may take."""
_FLAGS = (
    "--headless",
    "--no-sandbox",  # it refuses to run as root with one; the pages are our own
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--remote-debugging-pipe",
)


class Browser:
    """One browser with one page. `requests`: what the page loaded; `problems`: what its console said."""

    def __init__(self, profile: Path) -> None:
        program = next(filter(None, map(shutil.which, _NAMES)), None)
        assert program, "the page of `xlaport verify --html` is tested in Chromium: apt install chromium, or make setup"
        self.requests: list[str] = []
        self.problems: list[str] = []
        self._events: list[str] = []
        self._number = 0
        self._rest = b""
        self._session: str | None = None
        # It reads from descriptor 3 and writes to 4; above 9 ours are in nobody's way.
        theirs_in, ours_out = _pipe()
        ours_in, theirs_out = _pipe()
        self._in, self._out = ours_in, ours_out
        self._process = subprocess.Popen(
            [
                "bash",
                "-c",
                f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}',
                program,
                *_FLAGS,
                f"--user-data-dir={profile}",
            ],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)

    def __enter__(self) -> Browser:
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.call(f"{domain}.enable")
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        self._process.kill()
        self._process.wait(20)
        os.close(self._in)
        os.close(self._out)

    def open(self, page: Path) -> None:
        """Show a file, and forget what the page before it did."""
        self.requests.clear()
        self.problems.clear()
        self._events.clear()
        self.call("Page.navigate", url=page.as_uri())
        while "Page.loadEventFired" not in self._events:
            self._receive()

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def point_at(self, selector: str) -> None:
        """Bring the first such element into view, and put the pointer on its middle."""
        x, y = self.ask(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            "return [b.left + b.width / 2, b.top + b.height / 2]; })()"
        )
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def wear(self, scheme: str) -> None:
        """Prefer the ``light`` or the ``dark`` scheme."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def be(self, width: int, height: int) -> None:
        """Have a window of this size, in pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def run_scripts(self, wanted: bool) -> None:
        """Whether pages may run scripts of their own."""
        self.call("Emulation.setScriptExecutionDisabled", value=not wanted)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol, and its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def _receive(self) -> dict[str, Any]:
        end = time.monotonic() + _LIMIT
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            data = os.read(self._in, 1 << 16)
            assert data, f"the browser has ended, with {self._process.wait(20)}"
            self._rest += data
        first, self._rest = self._rest.split(b"\0", 1)
        message: dict[str, Any] = json.loads(first)
        method, parameters = message.get("method", ""), message.get("params", {})
        self._events.append(method)
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.problems.append(str(parameters["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.problems.append(parameters["entry"]["text"])
        return message


def _pipe() -> tuple[int, int]:
    """Both ends of a pipe, with numbers above 9."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]
