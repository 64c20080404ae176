"""A server with the simulated App Store for a browser to visit, with something to look at."""

import json
import shutil
import tempfile
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from client import APP
from process import free_ports, output_of, places, serving, stock

ROOT = Path(__file__).resolve().parent.parent.parent
ANSWER_WITHIN = 30  # seconds
# What products of the sample are called here, so that pages show both names and IDs.
NAMES = {"tenhints": "Ten hints", "hundredhints": "A hundred hints", "hardwords": "Hard words",
         "nighttheme.month": "Night theme for a month", "club.monthly": "Club"}
# What nobody may ever make markup of.
EVIL = "<script>document.title='taken'</script>\"'><img src=x onerror=alert(1)>"


class World:
    """Serves while it is open."""

    def __init__(self, binary):
        self.binary = binary
        self.folder = Path(tempfile.mkdtemp(prefix="qm-admin-"))
        self.port, self.store_port = free_ports(2)
        self.base = f"http://127.0.0.1:{self.port}"
        self.store = f"http://127.0.0.1:{self.store_port}"

    def __enter__(self):
        stock(self.folder, ROOT)
        self.name_products()
        with ExitStack() as stack:
            stack.callback(shutil.rmtree, self.folder)
            self.serve()
            self.stack = stack.pop_all()
        return self

    def name_products(self):
        entries = self.folder / "products.json"
        text = entries.read_text()
        for product, name in NAMES.items():
            text = text.replace(f'"id": "{APP}.{product}",', f'"id": "{APP}.{product}", "name": {{"en": "{name}"}},')
        entries.write_text(text)

    def serve(self):
        self.server = ExitStack()
        self.server.enter_context(serving(self.binary, self.folder, self.port, self.store_port))

    def stop(self):
        self.server.close()

    def __exit__(self, *error):
        self.stop()
        return self.stack.__exit__(*error)

    def command(self, *arguments):
        """What a command prints."""
        return output_of(self.binary, *arguments, *places(self.folder), within=ANSWER_WITHIN).strip()

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

    def done(self, method, path, body, headers):
        """The same of a path, which succeeds."""
        status, answer = self.request(method, self.base + path, body, headers)
        assert status in (200, 201), answer
        return answer

    def text(self, url):
        with urllib.request.urlopen(url, timeout=ANSWER_WITHIN) as answer:
            return answer.read().decode()

    def player(self):
        _, account = self.request("POST", f"{self.base}/v1/accounts")
        return account

    def send(self, receipt, account):
        return self.request(
            "POST", f"{self.base}/v1/receipts", {"receipt": receipt},
            {"Authorization": f"Bearer {account['accessToken']}"})

    def pay(self, product, kind, **more):
        """Buys a product in the simulated App Store; no app presents it."""
        _, bought = self.request(
            "POST", f"{self.store}/simulator/v1/purchases",
            {"bundleID": APP, "productID": f"{APP}.{product}", "type": kind, "price": 1990, "currency": "EUR", **more})
        return bought

    def buy(self, product, kind, account, **more):
        """Buys a product in the simulated App Store, and sends the receipt."""
        bought = self.pay(product, kind, appAccountToken=account["account"], **more)
        status, answer = self.send(bought["signedTransaction"], account)
        assert status == 200, answer
        return bought
