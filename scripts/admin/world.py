"""A server with the simulated App Store for a browser to visit, with something to look at."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
APP = "com.example.hangman"
READY_WITHIN = 60  # seconds
STOP_WITHIN = 15
ANSWER_WITHIN = 30
# What nobody may ever make markup of.
EVIL = "<script>document.title='taken'</script>\"'><img src=x onerror=alert(1)>"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class World:
    """Serves while it is open."""

    def __init__(self, binary):
        self.binary = binary
        self.folder = Path(tempfile.mkdtemp(prefix="qm-admin-"))
        self.port, self.store_port = free_port(), free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.store = f"http://127.0.0.1:{self.store_port}"

    def __enter__(self):
        for name in ("products.json", "content"):
            source, target = ROOT / name, self.folder / name
            shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
        self.log = open(self.folder / "log", "wb")
        self.server = subprocess.Popen(
            [self.binary, "serve", *self.places, "--host", "127.0.0.1", "--port", str(self.port),
             "--products", str(self.folder / "products.json"), "--content", str(self.folder / "content"),
             "--simulator", "--simulator-port", str(self.store_port)],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, cwd=self.folder,
            env={**os.environ, "QUARTERMASTER_CONFIG": ""})
        self.wait_until_ready()
        return self

    @property
    def places(self):
        return ["--database", str(self.folder / "ledger.sqlite")]

    def wait_until_ready(self):
        deadline = time.monotonic() + READY_WITHIN
        while time.monotonic() < deadline:
            if self.server.poll() is not None:
                raise SystemExit(f"the server ended: {self.tail()}")
            try:
                if self.request("GET", f"{self.base}/ready")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise SystemExit("the server is not ready")

    def __exit__(self, *_):
        self.server.terminate()
        try:
            self.server.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()
        self.log.close()
        shutil.rmtree(self.folder)

    def tail(self):
        return (self.folder / "log").read_text(errors="replace")[-2000:]

    def command(self, *arguments):
        """What a command prints."""
        done = subprocess.run(
            [self.binary, *arguments, *self.places], capture_output=True, text=True, timeout=ANSWER_WITHIN, check=True,
            cwd=self.folder, env={**os.environ, "QUARTERMASTER_CONFIG": ""})
        return done.stdout.strip()

    def token(self, name, role):
        return self.command("admin-token", "create", "--name", name, "--role", role)

    def request(self, method, url, body=None, headers=None):
        """Status and JSON of an answer."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            url, data, {"Content-Type": "application/json", **(headers or {})}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_WITHIN) as answer:
                status, content = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, content = error.code, error.read()
        return status, json.loads(content) if content.startswith(b"{") else None

    def player(self):
        _, account = self.request("POST", f"{self.base}/v1/accounts")
        return account

    def send(self, receipt, account):
        return self.request(
            "POST", f"{self.base}/v1/receipts", {"receipt": receipt},
            {"Authorization": f"Bearer {account['accessToken']}"})

    def buy(self, product, kind, account):
        """Buys a product in the simulated App Store, and sends the receipt."""
        _, bought = self.request(
            "POST", f"{self.store}/simulator/v1/purchases",
            {"bundleID": APP, "productID": f"{APP}.{product}", "type": kind, "price": 1990, "currency": "EUR",
             "appAccountToken": account["account"]})
        status, answer = self.send(bought["signedTransaction"], account)
        assert status == 200, answer
        return bought
