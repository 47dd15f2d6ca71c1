# Tangled from org/tests/report_page_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    """A headless Chromium, driven by the DevTools protocol over two pipes."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="cadastre-browser.")
        to_read, self.to = os.pipe()
        self.of, to_write = os.pipe()
        arguments = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
                     "--user-data-dir=" + self.folder, "about:blank"]
        self.events, self.number, self.rest, self.session = [], 0, b"", None

        def as_three_and_four():
            read, write = os.dup(to_read), os.dup(to_write)
            os.dup2(read, 3)
            os.dup2(write, 4)
            os.setsid()

        self.process = subprocess.Popen(arguments, preexec_fn=as_three_and_four, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "HOME": self.folder})
        os.close(to_read)
        os.close(to_write)
        page = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def receive(self, until):
        while b"\0" not in self.rest:
            ready = select.select([self.of], [], [], max(until - time.monotonic(), 0))[0]
            if not ready:
                return None
            got = os.read(self.of, 1 << 20)
            if not got:
                raise RuntimeError("the browser has ended")
            self.rest += got
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + 30
        while (got := self.receive(until)) is not None:
            if got.get("id") == self.number:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error']}")
                return got["result"]
            self.events.append(got)
        raise RuntimeError(f"{method}: no reply")

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        until = time.monotonic() + 30
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            got = self.receive(until)
            if got is None:
                raise RuntimeError("the page does not load")
            self.events.append(got)

    def do(self, script):
        got = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(f"{script}: {got['exceptionDetails']}")
        return got["result"].get("value")

    def screen(self, width, height, dark=False, touch=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def end(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
