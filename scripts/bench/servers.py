"""The two that are measured: this project's server by default, but for what bench.sh sets, and nginx set up to be fast."""

import base64
import hashlib
import json
import os
import time
from contextlib import contextmanager
from pathlib import Path

import plan
from client import APP
from nginx import nginx_command
from process import eventually, free_ports, running, stock

# A product of its own, whose bundle has the files that are downloaded.
BUNDLE, BUNDLE_PRODUCT = "bench", f"{APP}.bench"
CREDITS, CREDITS_PRODUCT = "tenhints", f"{APP}.tenhints"
FILES = {"small.bin": plan.SMALL_FILE_BYTES, "medium.bin": plan.MEDIUM_FILE_BYTES, "large.bin": plan.LARGE_FILE_BYTES}
# Of a link of nginx, in seconds: longer than the run.
LINK_LIFETIME = 86_400
LINK_SECRET = "bench"
WRITE_BYTES = 1 << 20

# Within its `http`.
NGINX = """
    # Ours has no line for a download either.
    access_log off;
    sendfile on;
    tcp_nopush on;
    open_file_cache max=100 inactive=1h;
    # A round must not be cut into connections.
    keepalive_requests 100000000;
    keepalive_timeout 1h;
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        etag on;
        location /products {{
            root {folder};
            # Of a few kilobytes, sendfile and the two calls of tcp_nopush take longer than reading and writing them.
            sendfile off;
            default_type application/json;
            add_header Cache-Control no-cache;
        }}
        location / {{
            secure_link $arg_md5,$arg_expires;
            secure_link_md5 "$secure_link_expires$uri {secret}";
            if ($secure_link != "1") {{ return 403; }}
            root {files};
            default_type application/octet-stream;
            add_header Cache-Control "private, max-age=31536000, immutable";
        }}
    }}
"""


class Workspace:
    """A folder with a catalog, content and a ledger of its own."""

    def __init__(self, folder, binary, nginx, cores):
        self.folder, self.binary, self.nginx_binary, self.cores = Path(folder), binary, nginx, cores
        self.products, self.content = self.folder / "products.json", self.folder / "content"
        self.files = self.content / BUNDLE / "1.0.0"

    def prepare(self, files=FILES, products=()):
        catalog = json.loads(Path("products.json").read_text())
        app = next(app for app in catalog["apps"] if app["bundleID"] == APP)
        app["products"].append({"id": BUNDLE_PRODUCT, "type": "non-consumable", "bundles": [BUNDLE]})
        app["products"] += products
        stock(self.folder)
        self.write(catalog, plan.PRODUCT_COUNT)
        self.files.mkdir(parents=True)
        for name, size in files.items():
            write_file(self.files / name, size)

    def write(self, catalog, count):
        """The catalog with as many products, most of which nobody buys."""
        app = next(app for app in catalog["apps"] if app["bundleID"] == APP)
        for number in range(len(app["products"]), count):
            app["products"].append({"id": f"{APP}.more{number}", "type": "consumable", "credits": {"hints": number}})
        self.products.write_text(json.dumps(catalog))

    def enlarge(self, count, within):
        """Has the server that runs serve a catalog of as many products."""
        self.write(json.loads(self.products.read_text()), count)
        log = self.folder / "server.log"
        eventually("the larger catalog is not served", within, lambda: "catalog replaced" in log.read_text())

    @contextmanager
    def serving(self, is_pinned=True, database=None, tracer=(), log="server.log", roots=None, has_store=True):
        port, store_port = free_ports(2)
        trust = ("env", f"QUARTERMASTER_ROOT_CERTIFICATES={roots}") if roots else ()
        store = ("--simulator", "--simulator-port", str(store_port)) if has_store else ()
        command = [
            *trust, *tracer, self.binary, "serve", "--host", "127.0.0.1", "--port", str(port), "--database",
            database or str(self.folder / "ledger.sqlite"), "--products", str(self.products), "--content",
            str(self.content), *store]
        core = self.cores.server if is_pinned else None
        with running("the server", command, core, port, "/ready", self.folder / log) as process:
            process.store_port = store_port
            yield process

    @contextmanager
    def nginx(self, product_list, is_pinned=True):
        folder, [port] = self.folder / "nginx", free_ports(1)
        folder.mkdir(exist_ok=True)
        (folder / "products").write_bytes(product_list)
        http = NGINX.format(folder=folder, files=self.files, port=port, secret=LINK_SECRET)
        workers, core = (1, self.cores.server) if is_pinned else (plan.UNPINNED_WORKERS, None)
        command = nginx_command(self.nginx_binary, folder, http, workers=workers)
        with running("nginx", command, core, port, "/products", self.folder / "nginx.log") as process:
            process.link = nginx_link
            yield process


def nginx_link(file):
    """As ngx_http_secure_link_module checks it."""
    expires, path = int(time.time()) + LINK_LIFETIME, f"/{file}"
    digest = hashlib.md5(f"{expires}{path} {LINK_SECRET}".encode()).digest()
    return f"{path}?md5={base64.urlsafe_b64encode(digest).decode().rstrip('=')}&expires={expires}"


def write_file(path, size):
    chunk = os.urandom(min(size, WRITE_BYTES))
    with path.open("wb") as file:
        for _ in range(size // len(chunk)):
            file.write(chunk)
