"""Downloads through nginx, compared with those that the server sends by itself. scripts/check-nginx.sh starts it."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import machine
import shop
from client import Client
from failure import Failure
from process import free_ports, running
from servers import BUNDLE, Workspace

EXAMPLE = Path("examples/nginx/quartermaster.conf")
# A name that is no plain path: what is given to nginx has to be escaped.
ODD_NAME = "a %41 ?#é.txt"
ODD_CONTENT = b"odd\n"
# One that the server keeps as bytes, and one that it keeps open.
FILES = {"small.bin": 16 << 10, "large.bin": 1 << 20}

MAIN = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/client-body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/quartermaster.conf;
}}
"""

# What both must say, where they say it at all.
COMPARED = (
    "etag", "cache-control", "repr-digest", "content-type", "content-length", "content-range", "accept-ranges",
    "x-content-type-options")


def nginx(program, folder, server, content):
    [port] = free_ports(1)
    folder.mkdir()
    example = EXAMPLE.read_text().replace("listen 8081;", f"listen 127.0.0.1:{port};")
    example = example.replace("QUARTERMASTER_PORT", str(server.port)).replace("CONTENT_FOLDER", str(content))
    (folder / "quartermaster.conf").write_text(example)
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder))
    command = [program, "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]
    return running("nginx", command, None, port, "/health", folder / "nginx.log")


def answer(port, method, path, status, headers):
    fields, content, _ = Client(port).ask(method, path, status, headers)
    return {name: fields[name] for name in COMPARED if name in fields}, content


def compare(local, front, method, path, status, headers=None):
    said, content = answer(local.port, method, path, status, headers)
    heard, received = answer(front.port, method, path, status, headers)
    if status == 304:  # nginx drops what a 304 need not have.
        said = {name: said[name] for name in said if name in heard}
    if (said, content) != (heard, received):
        raise Failure(f"{method} {path.partition('?')[0]} {headers}: {said} became {heard}")


def check(local, accel, front, player):
    manifest = Client(accel.port).json("GET", f"/v1/bundles/{BUNDLE}", 200, player.authorization)
    for file in manifest["files"]:
        url, tag, size = file["url"], f'"{file["sha256"]}"', file["size"]
        for method in ("GET", "HEAD"):
            compare(local, front, method, url, 200)
            compare(local, front, method, url, 304, {"If-None-Match": tag})
        for asked in ("bytes=0-0", "bytes=1-", "bytes=-2"):
            compare(local, front, "GET", url, 206, {"Range": asked})
            compare(local, front, "GET", url, 206, {"Range": asked, "If-Range": tag})
            compare(local, front, "GET", url, 200, {"Range": asked, "If-Range": '"other"'})
        compare(local, front, "GET", url, 200, {"Range": "bytes=0-0,2-2"})
        compare(local, front, "GET", url, 416, {"Range": f"bytes={size}-"})
        compare(local, front, "GET", url + "x", 403)
        direct = Client(accel.port).ask("GET", url, 200)
        if direct[1] or not direct[0]["x-accel-redirect"].startswith("/internal-content/"):
            raise Failure(f"the server itself answers {direct[0]}")
    for name in ("small.bin", "../products.json"):
        answer(front.port, "GET", f"/internal-content/{BUNDLE}/1.0.0/{name}", 404, {})


def main():
    binary, program = sys.argv[1:]
    Path("var").mkdir(exist_ok=True)
    with TemporaryDirectory(dir="var", prefix="check-nginx.") as folder:
        workspace = Workspace(Path(folder).resolve(), binary, program, machine.Cores(None, None))
        workspace.prepare(FILES)
        (workspace.files / ODD_NAME).write_bytes(ODD_CONTENT)
        with workspace.serving(is_pinned=False) as local:
            player = shop.player_with_bundle(Client(local.port), Client(local.store_port))
            os.environ["QUARTERMASTER_DELIVERY"] = "accel"
            with workspace.serving(is_pinned=False, log="accel.log") as accel:
                with nginx(program, workspace.folder / "nginx", accel, workspace.content) as front:
                    check(local, accel, front, player)
    print("check-nginx: nginx sends what the server would")


try:
    main()
except (Failure, OSError) as error:
    sys.exit(f"check-nginx: {error}")
