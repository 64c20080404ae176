"""Downloads through nginx, compared with those that the server sends by itself, and what has no way in through it.
scripts/check-nginx.sh starts it."""

import os
import ssl
import subprocess
import sys
from pathlib import Path

import machine
import shop
from client import Client
from failure import Failure, folder_of, run_of
from nginx import nginx_command
from process import free_ports, output_of, running
from servers import BUNDLE, Workspace

EXAMPLES = Path("examples/nginx")
# A name that is no plain path: what is given to nginx has to be escaped.
ODD_NAME = "a %41 ?#é.txt"
ODD_CONTENT = b"odd\n"
# One that the server keeps as bytes, and one that it keeps open.
FILES = {"small.bin": 16 << 10, "large.bin": 1 << 20}

# Spellings that the server takes for one path.
ADMINISTRATION = [
    "/admin", "/admin/", "/admin/v1/apps", "//admin/v1/apps", "/admin//v1/apps", "/%61dmin/v1/apps", "/x/../admin/v1/apps"]
METRICS = ["/metrics", "/metrics/", "//metrics", "//metrics//x", "/%6Detrics"]
# Who may administer where replicas.conf is in front.
ADMINISTRATOR = "127.0.0.9"

# So many wrong codes of one address, and it has to wait.
WRONG_CODES = 10

# What both must say, where they say it at all.
COMPARED = (
    "etag", "cache-control", "repr-digest", "content-type", "content-length", "content-range", "accept-ranges",
    "x-content-type-options")


def certificate(folder):
    """A chain and its key, made for one run, and what trusts it."""
    chain, key = folder / "chain.pem", folder / "key.pem"
    output_of(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", chain)
    return chain, key, ssl.create_default_context(cafile=chain)


def nginx(program, folder, file, names):
    """nginx with an example; names are what it calls ${NAME}, and how they are called here."""
    plain, port = free_ports(2)
    folder.mkdir()
    chain, key, trust = certificate(folder)
    example = (EXAMPLES / file).read_text()
    changes = {
        "listen 80;": f"listen 127.0.0.1:{plain};", "listen 443 ": f"listen 127.0.0.1:{port} ",
        "/var/log/nginx/access.log": str(folder / "access.log"),
        # The comparison asks faster than a player does.
        "rate=10r/s": "rate=1000r/s", "${TLS_CERTIFICATE}": str(chain), "${TLS_KEY}": str(key),
        **{f"${{{name}}}": value for name, value in names.items()},
    }
    for old, new in changes.items():
        if old not in example:
            raise Failure(f"{file} has no {old}")
        example = example.replace(old, new)
    command = nginx_command(program, folder, f"access_log off;\n{example}")
    return running("nginx", command, None, port, "/health", folder / "nginx.log", trust)


def answer(server, method, path, status, headers):
    fields, content, _ = Client(server.port, server.tls).ask(method, path, status, headers)
    return {name: fields[name] for name in COMPARED if name in fields}, content


def compare(local, front, method, path, status, headers=None):
    said, content = answer(local, method, path, status, headers)
    heard, received = answer(front, method, path, status, headers)
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
        answer(front, "GET", f"/internal-content/{BUNDLE}/1.0.0/{name}", 404, {})


def check_addresses(front):
    """Each client is its own to the limits of the server, and cannot say that it is another."""
    def guess(source, status, headers=None):
        body = {"recoveryCode": f"AAAA-{source}"}
        Client(front.port, front.tls, source).ask("POST", "/v1/sessions", status, headers, body)

    for number in range(WRONG_CODES):
        guess("127.0.0.2", 401, {"X-Forwarded-For": f"203.0.113.{number}"})
    guess("127.0.0.2", 429, {"X-Forwarded-For": "203.0.113.200"})
    guess("127.0.0.3", 401)


def check_closed(front, paths, status):
    for path in paths:
        Client(front.port, front.tls).ask("GET", path, status)


def check_replicas(program, workspace, server):
    """Both servers are the same one; nothing is asked of the object store."""
    at = f"127.0.0.1:{server.port}"
    names = {"SERVER_1": at, "SERVER_2": at, "STORE": at, "CONTENT_HOST": "content.example", "GATEWAY": "192.0.2.1",
             "SERVERS_NETWORK": "192.0.2.0/24", "ADMIN_NETWORK": ADMINISTRATOR}
    with nginx(program, workspace.folder / "replicas", "replicas.conf", names) as front:
        check_closed(front, ADMINISTRATION, 403)
        check_closed(front, METRICS, 404)
        Client(front.port, front.tls, ADMINISTRATOR).ask("GET", "/admin/v1/apps", 401)


def check_versions(front, folder):
    """HTTP/2 and TLS 1.2 as the example has them, and nothing below or weaker."""
    curl = ["curl", "--silent", "--noproxy", "*", "--cacert", str(folder / "chain.pem"), "--output", "/dev/null"]
    url = f"https://127.0.0.1:{front.port}/health"
    for options, expected in ((["--http2"], "2"), (["--http1.1"], "1.1"), (["--tls-max", "1.2"], "2")):
        said = output_of(*curl, "--write-out", "%{http_version}", *options, url)
        if said != expected:
            raise Failure(f"curl {options} had HTTP/{said}")
    for version, suites in (("1.1", "DEFAULT@SECLEVEL=0"), ("1.2", "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA256")):
        if subprocess.run([*curl, "--tls-max", version, "--ciphers", suites, url]).returncode == 0:
            raise Failure(f"nginx took TLS {version} with {suites}")


def main():
    binary, program = sys.argv[1:]
    with run_of("check-nginx"), folder_of("check-nginx") as folder:
        workspace = Workspace(folder, binary, program, machine.Cores(None, None))
        workspace.prepare(FILES)
        (workspace.files / ODD_NAME).write_bytes(ODD_CONTENT)
        with workspace.serving(is_pinned=False) as local:
            player = shop.player_with_bundle(Client(local.port), Client(local.store_port))
            os.environ["QUARTERMASTER_DELIVERY"] = "accel"
            os.environ["QUARTERMASTER_TRUSTED_PROXIES"] = "127.0.0.1"
            with workspace.serving(is_pinned=False, log="accel.log") as accel:
                names = {"SERVER": f"127.0.0.1:{accel.port}", "CONTENT_FOLDER": str(workspace.content)}
                with nginx(program, workspace.folder / "nginx", "quartermaster.conf", names) as front:
                    check(local, accel, front, player)
                    check_addresses(front)
                    check_versions(front, workspace.folder / "nginx")
                    check_closed(front, ADMINISTRATION + METRICS, 404)
                check_replicas(program, workspace, accel)
    print("check-nginx: nginx sends what the server would, under TLS, each client is its own to the limits, and "
          "administration has no way in")


main()
