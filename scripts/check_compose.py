"""The walk through what the Compose files describe. scripts/check-compose.sh starts it, in a network of its own."""

import hashlib
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from resource import RLIMIT_NOFILE, RLIMIT_NPROC, getrlimit
from secrets import token_hex
from threading import Event

import yaml

from client import APP, Client
from failure import Failure, folder_of, run_of
from players import CREDITS
from process import eventually, free_ports, output_of, running
from replicas import fetch
from shop import Player

REPLICAS, SINGLE = "compose.yaml", "compose.single.yaml"
PROJECT = "check"
SECRETS = ("POSTGRES_PASSWORD", "STORE_READ_SECRET", "STORE_WRITE_SECRET")
CONTENT_HOST = "content.example.com"
NGINX_USER = 101
# Of the pages in compose.single.yaml, on this machine alone.
PAGES_PORT = 8081
# Of the network "inside": nobody's in the file, and outside the range that the engine gives out.
ADMINISTRATOR, *BUYERS = (f"172.30.77.{number}" for number in range(100, 109))
BUNDLE, PRODUCT, HINTS = "hard-words", "hardwords", "tenhints"
SERVERS = ("server-1", "server-2")
SETTING = re.compile(r"QUARTERMASTER_[A-Z0-9_]+")
DIGEST = re.compile(r"@sha256:[0-9a-f]{64}")
NEEDED = re.compile(r"\$\{(\w+):\?")
RUN_WITHIN = 120  # seconds
HEALTHY_WITHIN = 60  # seconds
# Until each server has looked at the catalog and the bucket.
SEEN_WITHIN = 15  # seconds
TIME_LIMIT = 600  # seconds
AWAY = 1  # seconds, of the server that is stopped


run = partial(output_of, within=RUN_WITHIN)
eventually = partial(eventually, every=1)


class Project:
    """What one Compose file describes, in a folder with copies of what it mounts."""

    def __init__(self, folder, file, additions):
        self.folder, self.file, self.started = folder, file, []
        (folder / "additions.yaml").write_text(additions)
        self.services = yaml.safe_load(self.compose("--profile", "tool", "config"))["services"]

    def compose(self, *words):
        return run("podman-compose", "--project-name", PROJECT, "--file", self.file, "--file", "additions.yaml", *words,
                   cwd=self.folder)

    def address(self, name):
        return self.services[name]["networks"]["inside"]["ipv4_address"]

    def up(self, name):
        """After the services that it waits for, as the file says: podman-compose needs a newer podman for that."""
        for other, wait in self.services[name].get("depends_on", {}).items():
            if other not in self.started:
                self.up(other)
            if wait["condition"] == "service_completed_successfully":
                if run("podman", "wait", container(other)).strip() != "0":
                    raise Failure(f"{other} failed")
            else:
                self.expect_healthy(other)
        self.compose("up", "--detach", "--no-deps", "--no-build", name)
        self.started.append(name)

    def expect_healthy(self, name):
        eventually(f"{name} is not healthy", HEALTHY_WITHIN, lambda: subprocess.run(
            ["podman", "healthcheck", "run", container(name)], capture_output=True, check=False).returncode == 0)

    def tool(self, *words):
        return self.compose("--profile", "tool", "run", "--rm", "--no-deps", "-T", "tool", *words)

    @contextmanager
    def running(self, *names):
        try:
            for name in names:
                self.up(name)
            yield self
        except (Failure, OSError) as failure:
            logs = [f"The last lines of {name}:\n{log(name, '--tail=10')}" for name in self.started]
            raise Failure("\n".join([str(failure), *logs])) from failure
        finally:
            self.compose("--profile", "tool", "down", "--volumes", "--timeout", "20")


def container(name):
    return f"{PROJECT}_{name}_1"


def log(name, *options):
    return subprocess.run(["podman", "logs", *options, container(name)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False).stdout


def check_file(project):
    """What is wrong with it and no engine sees."""
    pages = (Path("docs/operate", page).read_text() for page in ("settings.md", "limits.md"))
    known = set(SETTING.findall("".join(pages)))
    for name, service in project.services.items():
        if unknown := {each for each in service.get("environment", {}) if SETTING.match(each)} - known:
            raise Failure(f"{project.file}: {name}: no server reads {sorted(unknown)}")
    text = Path(project.file).read_text()
    introduction = "".join(re.findall(r"(?m)^#.*\n", text))
    if untold := {each for each in NEEDED.findall(text) if each not in introduction}:
        raise Failure(f"{project.file}: {sorted(untold)} are not explained")


class Visitor:
    """A player, by nginx alone: at the published port, or from an address of its own."""

    def __init__(self, folder, store, source="127.0.0.1", host="127.0.0.1"):
        self.folder, self.store, self.source, self.host = folder, Client(store.port), source, host
        self.trust = ssl.create_default_context(cafile=folder / "var/tls/chain.pem")
        self.trust.check_hostname = False  # The certificate is of the names, and they lead elsewhere here.
        self.player = Player.made(self.client)

    @property
    def client(self):
        return Client(443, self.trust, self.source, self.host)

    def ask(self, path):
        return self.client.json("GET", path, 200, self.player.authorization)

    def buys(self, product, kind):
        receipt = self.player.buys(self.store, product, kind)
        return self.client.json("POST", "/v1/receipts", 200, self.player.authorization, {"receipt": receipt})

    def downloads(self, fetched):
        manifest = self.ask(f"/v1/bundles/{BUNDLE}")
        for file in manifest["files"]:
            if hashlib.sha256(fetched(file["url"])).hexdigest() != file["sha256"]:
                raise Failure(f"{file['path']} has other bytes")
        return manifest["version"]

    def downloads_from_store(self):
        return self.downloads(self.from_store)

    def from_store(self, url):
        link = self.client.ask("GET", url, 303)[0]["location"]
        if not link.startswith(f"https://{CONTENT_HOST}/"):
            raise Failure(f"players are sent to {link.partition('?')[0]}")
        return self.curl("--fail", link).encode()

    def curl(self, *words):
        return run("curl", "--silent", "--noproxy", "*", "--cacert", self.folder / "var/tls/chain.pem", "--resolve",
                   f"{CONTENT_HOST}:443:127.0.0.1", *words)


def change_shop(project, visitor):
    """As the head of compose.yaml says."""
    products, content = project.folder / "products.json", project.folder / "content"
    catalog = json.loads(products.read_text())
    catalog["apps"][0]["products"].append({"id": f"{APP}.more", "type": "consumable", "credits": {"hints": 1}})
    products.write_text(json.dumps(catalog))
    project.tool("catalog", "push", "products.json")
    for name in SERVERS:
        client = Client(8080, source=ADMINISTRATOR, host=project.address(name))
        eventually(f"the new product is not at {name}", SEEN_WITHIN, lambda: f"{APP}.more" in client.json(
            "GET", f"/v1/apps/{APP}/products", 200)["productIDs"])
    shutil.copytree(content / BUNDLE / "1.0.0", content / "new")
    (content / "new/words.txt").write_text("zyzzyva\n")
    project.tool("bundles", "publish", "content/new", "--bundle", BUNDLE, "--version", "1.1.0")
    shutil.rmtree(content / "new")
    eventually("the new version is not seen", SEEN_WITHIN, lambda: visitor.downloads_from_store() == "1.1.0")


def check_next_up(project):
    """The content is published anew at each `up`, and what was withdrawn stays so."""
    project.tool("bundles", "yank", BUNDLE, "1.0.0")
    run("podman", "start", "--attach", container("content"))
    listed = json.loads(project.tool("bundles", "list", "--json"))
    versions = next(each["versions"] for each in listed if each["bundle"] == BUNDLE)
    if [each["state"] for each in versions if each["version"] == "1.0.0"] != ["yanked"]:
        raise Failure(f"a version that was yanked came back: {versions}")


def check_strangers(project, visitor):
    """What nginx keeps from them."""
    for path in ("/metrics", "/metrics/", "//metrics"):
        visitor.client.ask("GET", path, 404)
    administrator = Client(443, visitor.trust, ADMINISTRATOR, project.address("front"))
    administrator.ask("GET", "/admin/v1/accounts", 401)  # This address may; the server asks for a token.
    visitor.client.ask("GET", "/admin/v1/accounts", 403)
    said = visitor.curl("--upload-file", "README.md", f"https://{CONTENT_HOST}/quartermaster/content/stranger")
    if "<title>403" not in said:
        raise Failure(f"a stranger writes to the store, and is told {said[:200]}")


def check_update(project, buyers):
    """One server is stopped for a while, the other is killed; whoever buys meanwhile notices nothing."""
    done = Event()

    def buying(visitor):
        count = 0
        while not done.is_set():
            visitor.buys(HINTS, "consumable")
            count += 1
            time.sleep(0.1)  # nginx limits each address to 10 requests a second.
        return visitor, count

    first, second = SERVERS
    with ThreadPoolExecutor(len(buyers)) as pool:
        bought = [pool.submit(buying, visitor) for visitor in buyers]
        try:
            project.compose("stop", first)
            time.sleep(AWAY)
            project.up(first)
            project.expect_healthy(first)
            process = run("podman", "inspect", "--format", "{{.State.Pid}}", container(second))
            os.kill(int(process), signal.SIGKILL)
            # The engine starts it again.
            project.expect_healthy(second)
        finally:
            done.set()
    for visitor, count in (each.result() for each in bought):
        hints = visitor.ask("/v1/entitlements")["balances"]["hints"]
        if hints != count * CREDITS[HINTS]:
            raise Failure(f"{count} purchases came to {hints} hints")


def check_proxy(*servers):
    """A server that does not trust its nginx takes all players for one, and says so."""
    for name in servers:
        if "X-Forwarded-For comes from" in log(name):
            raise Failure(f"{name} does not trust nginx: {log(name, '--tail=10')}")


def walk_replicas(project, store):
    with project.running(*SERVERS):
        for name in SERVERS:
            project.expect_healthy(name)
        front = project.address("front")
        device = re.search(r"dev (\S+)", run("ip", "route", "get", front))[1]
        # Else it gets another one when a server comes or goes, and nginx answers to the one before.
        hardware = re.search(r"link/ether (\S+)", run("ip", "link", "show", device))[1]
        run("ip", "link", "set", device, "address", hardware)
        for address in (ADMINISTRATOR, *BUYERS):
            run("ip", "address", "add", f"{address}/32", "dev", device)
        visitor = Visitor(project.folder, store)
        visitor.buys(PRODUCT, "non-consumable")
        if visitor.downloads_from_store() != "1.0.0":
            raise Failure("another version than the one that was published")
        change_shop(project, visitor)
        check_next_up(project)
        check_strangers(project, visitor)
        check_update(project, [Visitor(project.folder, store, address, front) for address in BUYERS])
        check_proxy(*SERVERS)


def walk_single(project, store):
    with project.running("front"):
        # This nginx has no health check.
        run("curl", "--silent", "--fail", "--insecure", "--noproxy", "*", "--retry-all-errors", "--retry-delay", "1",
            "--retry", str(HEALTHY_WITHIN), "https://127.0.0.1/health")
        visitor = Visitor(project.folder, store)
        visitor.buys(PRODUCT, "non-consumable")
        visitor.downloads(lambda url: visitor.client.ask("GET", url, 200)[1])
        if f"GET /internal-content/{BUNDLE}/" not in log("front"):
            raise Failure("nginx did not send the files")
        for path in ("/metrics", "/admin", "/admin/v1/accounts"):
            visitor.client.ask("GET", path, 404)
        check_administration(project)
        check_proxy("server")


def check_administration(project):
    """The pages and a backup, by the commands in the head of compose.single.yaml."""
    head = (project.folder / project.file).read_text()

    def inside(*words):
        if f"#   docker compose exec server {' '.join(words)}\n" not in head:
            raise Failure(f"{project.file} does not say: {' '.join(words)}")
        return project.compose("exec", "-T", "server", *words)

    link = inside("quartermaster", "admin-token", "open", "--name", "alice", "--role", "write").strip()
    Client(PAGES_PORT).ask("GET", link.removeprefix(f"http://127.0.0.1:{PAGES_PORT}"), 303)
    inside("quartermaster", "admin-token", "create", "--name", "bob", "--role", "read")
    backup = "/var/lib/quartermaster/monday.sqlite"
    inside("quartermaster", "ledger", "backup", backup)
    run("podman", "cp", f"{container('server')}:{backup}", project.folder)
    inside("rm", backup)


def prepare(folder):
    """What the heads of the files say, and a certificate that the servers trust."""
    tls = folder / "var/tls"
    tls.mkdir(parents=True)
    (folder / "var/acme").mkdir()
    for name in ("content", "examples/nginx"):
        shutil.copytree(name, folder / name, ignore=shutil.ignore_patterns(".store"))
    shutil.copy("products.json", folder)
    for name in (REPLICAS, SINGLE):
        # The images are made here, and have no digest of a registry.
        (folder / name).write_text(DIGEST.sub("", Path(name).read_text()))
    secrets = [f"{name}={token_hex(32)}\n" for name in SECRETS]
    (folder / ".env").write_text("".join([*secrets, f"CONTENT_HOST={CONTENT_HOST}\nADMIN_NETWORK={ADMINISTRATOR}\n"]))
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
        "-subj", "/CN=localhost", "-addext", f"subjectAltName=IP:127.0.0.1,DNS:{CONTENT_HOST}", "-keyout",
        tls / "key.pem", "-out", tls / "chain.pem")
    os.chown(tls / "key.pem", NGINX_USER, NGINX_USER)
    (tls / "key.pem").chmod(0o400)


def additions(servers, publishers=()):
    """To the services: trust in the certificate of here and in a store that takes no money, and the limits of here."""
    trust = {"volumes": ["./var/tls/chain.pem:/etc/ssl/certs/ca-certificates.crt:ro", "./root.cer:/root.cer:ro"]}
    server = {**trust, "environment": {"QUARTERMASTER_ROOT_CERTIFICATES": "/root.cer"},
              "ulimits": {"nofile": getrlimit(RLIMIT_NOFILE)[1], "nproc": getrlimit(RLIMIT_NPROC)[1]}}
    return yaml.safe_dump({"services": {**dict.fromkeys(servers, server), **dict.fromkeys(publishers, trust)}})


# podman 4 knows no tmpfs of a user.
FOLDERS = """
  front:
    tmpfs: !override
      - /etc/nginx/conf.d
      - /var/cache/nginx
      - /run
      - /tmp
"""


def main():
    with run_of("check-compose", TIME_LIMIT), folder_of("check-compose") as folder:
        folder.chmod(0o755)
        prepare(folder)
        [port] = free_ports(1)
        simulator = ["podman", "run", "--rm", "--network=host", "quartermaster", "simulator", "--database",
                     "/var/lib/quartermaster/store.sqlite", "--simulator-port", str(port)]
        root, log_file = "/simulator/v1/root.cer", folder / "simulator.log"
        with running("the simulator", simulator, None, port, root, log_file) as store:
            (folder / "root.cer").write_bytes(fetch(port, root))
            for file, walk, added in (
                    (SINGLE, walk_single, additions(["server"]) + FOLDERS),
                    (REPLICAS, walk_replicas, additions(SERVERS, ("content", "tool")) + FOLDERS)):
                project = Project(folder, file, added)
                check_file(project)
                walk(project, store)
                print(f"check-compose: {file} is sound", flush=True)
    print("check-compose: the shop is served by one server, and by both or either, and its files come from the store")


main()
