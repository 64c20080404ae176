"""Starts what compose.yaml describes, without an engine: everybody on one machine, each on the address of the file."""

import os
import shutil
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

import compose
from bucket import bucket
from failure import Failure
from nginx import nginx_command
from postgres import Postgres
from process import READY_WITHIN, Process

FILE = "compose.yaml"
SECRETS = ("POSTGRES_PASSWORD", "STORE_READ_SECRET", "STORE_WRITE_SECRET")
CONTENT_HOST = "content.example.com"
SHOP = Path("/srv/quartermaster")
RUN_WITHIN = 120  # seconds


def run(*command, **options):
    ended = subprocess.run(command, capture_output=True, text=True, timeout=RUN_WITHIN, check=False, **options)
    if ended.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))[:200]}: {ended.stdout[-1000:]}{ended.stderr[-1000:]}")
    return ended.stdout


class Machine:
    def __init__(self, folder, binary, nginx):
        self.folder, self.binary, self.nginx = folder, binary, nginx
        self.secrets = {name: token_hex(32) for name in SECRETS}
        self.services = compose.load(FILE, {**self.secrets, "CONTENT_HOST": CONTENT_HOST})
        self.roots = folder / "root.cer"

    def prepare(self):
        run("ip", "link", "set", "lo", "up")
        addresses = {compose.address(each, network) for each in self.services.values() for network in (
            "inside", "objects")} - {""}
        for address in addresses:
            run("ip", "address", "add", f"{address}/32", "dev", "lo")
        hosts, front = self.folder / "hosts", self.services["front"]["networks"]["inside"]
        hosts.write_text("127.0.0.1 localhost db\n" + "".join(
            f"{front['ipv4_address']} {alias}\n" for alias in front["aliases"]))
        self.certify()
        run("mount", "--bind", hosts, "/etc/hosts")
        run("mount", "--bind", self.folder / "chain.pem", "/etc/ssl/certs/ca-certificates.crt")
        run("mount", "-t", "tmpfs", "tmpfs", SHOP.parent)
        SHOP.mkdir()
        shutil.copy("products.json", SHOP)
        shutil.copytree("content", SHOP / "content")
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "quartermaster").symlink_to(self.binary)
        os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"

    def certify(self):
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "1", "-subj", "/CN=localhost", "-addext", f"subjectAltName=IP:127.0.0.1,DNS:{CONTENT_HOST}", "-keyout",
            self.folder / "key.pem", "-out", self.folder / "chain.pem")

    def environment(self, name):
        return {"PATH": os.environ["PATH"], "QUARTERMASTER_CONFIG": "", **self.services[name].get("environment", {})}

    def once(self, name, *words):
        """`docker compose run --rm NAME WORDS…`: what it prints."""
        service = self.services[name]
        command = [*service.get("entrypoint", ["quartermaster"]), *(words or service["command"])]
        return run(*command, env=self.environment(name), cwd=SHOP)

    @contextmanager
    def running(self, name, command, environment, host="127.0.0.1"):
        """Until its health check is content; it listens on `host` where others listen on all addresses."""
        kind, *health = [word.replace("127.0.0.1", host) for word in self.services[name]["healthcheck"]["test"]]
        log = self.folder / f"{name}.log"
        with log.open("ab") as output:
            popen = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *command], env=environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT)
        process = Process(name, popen, None, log)
        try:
            deadline = time.monotonic() + READY_WITHIN
            while subprocess.run(health, env=environment, capture_output=True, check=False).returncode != 0:
                process.expect_alive()
                if time.monotonic() > deadline:
                    raise Failure(f"{name} does not become healthy")
                time.sleep(0.1)
            yield process
        except Failure as failure:
            raise Failure(f"{failure}\n{process.last_lines()}") from failure
        finally:
            process.stop()

    def front(self):
        service, folder = self.services["front"], self.folder
        [template] = [each.split(":")[0] for each in service["volumes"] if compose.TEMPLATES in each]
        text = Path(template).read_text()
        for name, value in service["environment"].items():
            text = text.replace(f"${{{name}}}", value)
        # Where the image has them; and a player is slower than this.
        for old, new in (("/etc/nginx/tls/", f"{folder}/"), ("/var/log/nginx/", f"{folder}/"), ("10r/s", "1000r/s")):
            text = text.replace(old, new)
        return self.running("front", nginx_command(self.nginx, folder, text), self.environment("front"))

    def server(self, name):
        address = compose.address(self.services[name])
        # All that the file does not say: addresses, since both share a machine, and a store that takes no money.
        added = {
            "QUARTERMASTER_HOST": address, "QUARTERMASTER_ROOT_CERTIFICATES": str(self.roots),
            "QUARTERMASTER_METRICS_LISTEN": f"{address}:9464",
            "QUARTERMASTER_CHECKPOINTS": str(self.folder / f"{name}.checkpoints.jsonl"),
        }
        return self.running(name, ["quartermaster", "serve"], {**self.environment(name), **added}, address)

    def store(self):
        address, port = self.services["front"]["environment"]["STORE"].split(":")
        return bucket(
            self.folder, "--host", address, "--port", port, "--bucket", "quartermaster", "--region", "us-east-1",
            "--key", f"publisher:{self.secrets['STORE_WRITE_SECRET']}",
            "--reader", f"reader:{self.secrets['STORE_READ_SECRET']}")

    @contextmanager
    def database(self):
        names = self.services["db"]["environment"]
        with Postgres(self.folder / "postgres", listen="127.0.0.1", port=5432).running() as postgres:
            user = names["POSTGRES_USER"]
            postgres.run_sql(f"CREATE ROLE {user} LOGIN PASSWORD '{names['POSTGRES_PASSWORD']}'")
            postgres.run_sql(f"CREATE DATABASE {user} OWNER {user}")
            yield
