"""A server and what is around it: the simulated App Store as a process of its own, so that the two have two clocks, the
ledger, and a Prometheus with the shipped alerts. All of it is in one folder, and gone with the run."""

import json
import os
import shutil
import ssl
import subprocess
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import rules
from client import APP, Client
from failure import Failure
from postgres import Postgres
from process import free_ports, output_of, running, stock
from shop import Player
from verdict import Seen, alarms

ALERTS = Path("examples/monitoring/alerts.yaml")
START_WITHIN = 60  # seconds, also of one that fails
DISK = "24m"
# As root the server has a user of its own, as a service has: root may read and write everything.
IS_ROOT = os.geteuid() == 0
AS_USER = ["setpriv", "--pdeathsig", "KILL",
           *(["--reuid=nobody", "--regid=nogroup", "--clear-groups"] if IS_ROOT else [])]


@dataclass(frozen=True)
class Tools:
    binary: Path
    prometheus: Path
    # clock.c, as a library.
    clock: Path


class Place:
    def __init__(self, tools, folder, disk=False, postgres=False, clock=False, tls=False, servers=1):
        self.tools, self.folder, self.needs = tools, Path(folder), (disk, postgres, tls)
        self.ledger, self.content = self.folder / "ledger", self.folder / "content"
        self.products = self.folder / "products.json"
        self.clock = self.folder / "clock" if clock else None
        self.stacks, self.tls, self.database, self.settings = {}, None, str(self.ledger / "ledger.sqlite"), {}
        self.store_port, self.prometheus_port, *ports = free_ports(2 + 2 * servers)
        # Of each server its own, and that of its metrics.
        self.ports = list(zip(ports[::2], ports[1::2]))
        self.port = ports[0]

    @contextmanager
    def running(self):
        """With everything started, and the server's user as the owner of what it writes."""
        with ExitStack() as stack:
            disk, postgres, tls = self.needs
            self.prepare(stack, disk)
            if postgres:
                self.postgres = stack.enter_context(Postgres(self.folder / "postgres").running())
                self.database = self.postgres.url
            if tls:
                self.make_certificate(days=90)
            stack.callback(self.stop_all)
            self.start_store()
            self.set_up()
            for number in range(len(self.ports)):
                self.start(number)
            self.start_prometheus()
            yield self

    def prepare(self, stack, disk):
        self.folder.chmod(0o755)
        stock(self.folder)
        self.ledger.mkdir()
        if disk:
            output_of("mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", self.ledger)
            stack.callback(output_of, "umount", "--lazy", self.ledger)
        if self.clock:
            self.set_clock(0)
        if IS_ROOT:
            output_of("chown", "-R", "nobody:nogroup", self.ledger, self.content, self.products)

    def set_up(self):
        """What the server has to know of the simulated App Store, and that of the server."""
        client = Client(self.store_port)
        for name in ("root.cer", "receipt-root.cer"):
            (self.folder / name).write_bytes(client.ask("GET", f"/simulator/v1/{name}", 200)[1])
        key = client.json("GET", f"/simulator/v1/api-key?bundleID={APP}", 200)
        self.write_key(key["privateKey"])
        client.ask("PUT", "/simulator/v1/notification-url", 204,
                   body={"url": f"http://127.0.0.1:{self.port}/v1/notifications/app-store"})
        store = f"http://127.0.0.1:{self.store_port}"
        self.settings = {
            "host": "127.0.0.1", "database": self.database, "products": str(self.products),
            "content": str(self.content),
            "rootCertificates": [str(self.folder / name) for name in ("root.cer", "receipt-root.cer")],
            "verifyReceipt": {name: f"{store}/{name}/verifyReceipt" for name in ("production", "sandbox")},
            "serverAPI": {name: f"{store}/{name}" for name in ("production", "sandbox")},
            "apps": {APP: {"issuerID": key["issuerID"], "keyID": key["keyID"],
                           "privateKeyFile": str(self.folder / "key.p8")}},
        }
        if self.tls:
            self.settings["tls"] = {"certificate": str(self.folder / "chain.pem"),
                                    "privateKey": str(self.folder / "chain.key")}

    def write_key(self, pem):
        (self.folder / "key.p8").write_text(pem)

    def make_certificate(self, days):
        """In the place of the one before, as a renewal does it: the key stays."""
        chain, key = self.folder / "chain.pem", self.folder / "chain.key"
        made = ["-key", key] if key.exists() else [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key]
        output_of("openssl", "req", "-x509", *made, "-days", days, "-subj", "/CN=localhost", "-addext",
                  "subjectAltName=IP:127.0.0.1", "-out", f"{chain}.new")
        key.chmod(0o644)
        os.replace(f"{chain}.new", chain)
        self.tls = ssl.create_default_context(cafile=chain)

    def set_clock(self, offset):
        """Of the server's machine, by so many seconds."""
        self.clock.write_text(str(offset))

    # Processes

    def begin(self, name, process):
        with ExitStack() as stack:
            stack.enter_context(process)
            self.stacks[name] = stack.pop_all()

    def stop(self, name=0):
        """A server by its number, or the store."""
        self.stacks.pop(name).close()

    def stop_all(self):
        for name in list(self.stacks):
            self.stop(name)

    def start_store(self):
        command = [self.tools.binary, "simulator", "--database", self.folder / "store.sqlite", "--simulator-port",
                   self.store_port]
        self.begin("store", running("the store", list(map(str, command)), None, self.store_port,
                                    "/simulator/v1/root.cer", self.folder / "store.log"))

    def start(self, number=0):
        port = self.ports[number][0]
        self.begin(number, running(f"server {number}", self.command("serve", number=number), None, port, "/ready",
                                   self.folder / f"server-{number}.log", self.tls))

    def restart(self):
        self.stop()
        self.start()

    def refused_start(self):
        """How a start ends that cannot succeed, and its last line."""
        ended = subprocess.run(self.command("serve"), capture_output=True, text=True, timeout=START_WITHIN, check=False)
        return ended.returncode, (ended.stderr.strip().splitlines() or [""])[-1]

    def start_prometheus(self):
        targets = [f"127.0.0.1:{metrics}" for _, metrics in self.ports]
        file, data = self.folder / "prometheus.yaml", self.folder / "prometheus"
        (self.folder / "rules.yaml").write_text(rules.hurried(ALERTS.read_text()))
        file.write_text(rules.CONFIGURATION.format(rules="rules.yaml", targets=json.dumps(targets)))
        command = [self.tools.prometheus, f"--config.file={file}", f"--storage.tsdb.path={data}", "--log.level=warn",
                   f"--web.listen-address=127.0.0.1:{self.prometheus_port}"]
        self.begin("prometheus", running("Prometheus", list(map(str, command)), None, self.prometheus_port, "/-/ready",
                                         self.folder / "prometheus.log"))

    def command(self, *words, number=0):
        """Of the server's program, as its user, on its machine."""
        port, metrics = self.ports[number]
        file = self.folder / f"settings-{number}.json"
        file.write_text(json.dumps({
            **self.settings, "port": port, "metricsListen": f"127.0.0.1:{metrics}",
            "checkpoints": str(self.ledger / f"checkpoints-{number}.jsonl")}))
        wrong = [f"LD_PRELOAD={self.tools.clock}", f"CLOCK_OFFSET={self.clock}"] if self.clock else []
        return [*AS_USER, "env", *wrong, str(self.tools.binary), *words, "--config", str(file)]

    # What can be seen, and done

    def seen(self, number=0):
        def said(*options):
            return subprocess.run(self.command("status", *options, number=number), capture_output=True, text=True,
                                  timeout=START_WITHIN, check=False)

        words, told = said(), said("--json")
        firing = Client(self.prometheus_port).json("GET", "/api/v1/alerts", 200)
        return Seen(told.returncode, alarms(told.stdout, words.stdout or words.stderr), rules.firing(firing))

    def receipts(self, count, form):
        """Of as many players, who have not sent them yet."""
        server, store = Client(self.port, self.tls), Client(self.store_port)
        players = [Player.made(server) for _ in range(count)]
        return [(player, store.buy("tenhints", "consumable", appAccountToken=player.account)[form])
                for player in players]

    def send(self, receipts, *statuses):
        for player, receipt in receipts:
            said = self.post("/v1/receipts", {"receipt": receipt}, player.authorization)
            if said not in statuses:
                raise Failure(f"a receipt was answered {said}")

    def post(self, path, body=None, headers=None):
        connection = Client(self.port, self.tls).connection
        connection.request("POST", path, json.dumps(body) if body else None,
                           {"Content-Type": "application/json", **(headers or {})})
        answer = connection.getresponse()
        answer.read()
        return answer.status


def copied(tools, folder):
    """With what the server's user has to read, wherever the checkout is."""
    folder.chmod(0o755)
    return Tools(Path(shutil.copy(tools.binary, folder)), tools.prometheus, Path(shutil.copy(tools.clock, folder)))
