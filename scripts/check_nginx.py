"""Downloads through nginx and Caddy, compared with those that the server sends by itself, and what has no way in
through them. scripts/check-nginx.sh starts it."""

import os
import ssl
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import machine
import shop
from client import ANSWER_WITHIN, APP, Client
from failure import Failure, folder_of, run_of
from nginx import nginx_command
from process import connect, free_ports, output_of, running
from servers import BUNDLE, Workspace, write_file

EXAMPLES, CADDYFILE = Path("examples/nginx"), Path("examples/caddy/Caddyfile")
# A name that is no plain path: what is given to nginx has to be escaped.
ODD_NAME = "a %41 ?#é.txt"
ODD_CONTENT = b"odd\n"
# One that the server keeps as bytes, and one that it keeps open.
FILES = {"small.bin": 16 << 10, "large.bin": 1 << 20}
# A theme of small files, and how many a client asks for at once.
THEME, THEME_FILES, THEME_FILE_BYTES, AT_ONCE = "theme", 200, 3 << 10, 6
LIST = f"/v1/apps/{APP}/products"

# Spellings that the server takes for one path.
ADMINISTRATION = [
    "/admin", "/admin/", "/admin/v1/apps", "//admin/v1/apps", "/admin//v1/apps", "/%61dmin/v1/apps", "/x/../admin/v1/apps"]
METRICS = ["/metrics", "/metrics/", "//metrics", "//metrics//x", "/%6Detrics"]
# Who may administer where replicas.conf is in front.
ADMINISTRATOR = "127.0.0.9"

# So many wrong codes of one address, and it has to wait.
WRONG_CODES = 10

CHALLENGE = ".well-known/acme-challenge/token"
# Where Caddy finds no server, which it logs.
NOWHERE = "/nowhere"
HAS_IPV6 = Path("/proc/net/if_inet6").exists() and "00000001 " in Path("/proc/net/if_inet6").read_text()
# A server beside the example's, to whose limits clients come from the addresses that they say.
PROBE = """
server {{
    listen 127.0.0.1:{port};
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Real-IP;
    limit_req zone=quartermaster_requests burst=50 nodelay;
    limit_req_status 429;
    root {folder};
}}
"""

# What both must say, where they say it at all.
COMPARED = (
    "etag", "cache-control", "repr-digest", "content-type", "content-length", "content-range", "accept-ranges",
    "x-content-type-options")


def certificate(folder):
    """A chain and its key, made for one run, and what trusts it."""
    chain, key = folder / "chain.pem", folder / "key.pem"
    output_of(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,IP:::1", "-keyout", key, "-out", chain)
    return chain, key, ssl.create_default_context(cafile=chain)


def filled_in(file, changes):
    example = file.read_text()
    for old, new in changes.items():
        if old not in example:
            raise Failure(f"{file} has no {old}")
        example = example.replace(old, new)
    return example


def nginx(program, folder, file, names):
    """nginx with an example; names are what it calls ${NAME}, and how they are called here. What it has for plain HTTP
    and for its probe is added to the process."""
    plain, port, probe = free_ports(3)
    folder.mkdir()
    chain, key, trust = certificate(folder)
    six = "listen [::1]:" if HAS_IPV6 else "#"
    example = filled_in(EXAMPLES / file, {
        "listen 80;": f"listen 127.0.0.1:{plain};", "listen 443 ": f"listen 127.0.0.1:{port} ",
        "listen [::]:80;": f"{six}{plain};", "listen [::]:443 ": f"{six}{port} ",
        "/var/log/nginx/access.log": str(folder / "access.log"), "/var/www/acme": str(folder),
        "${TLS_CERTIFICATE}": str(chain), "${TLS_KEY}": str(key),
        **{f"${{{name}}}": value for name, value in names.items()},
    })
    beside = PROBE.format(port=probe, folder=folder)
    command = nginx_command(program, folder, f"access_log off;\n{example}{beside}")
    return running("nginx", command, None, port, "/health", folder / "nginx.log", trust), plain, probe


def caddy(program, folder, server):
    [port] = free_ports(1)
    folder.mkdir()
    chain, key, trust = certificate(folder)
    file = folder / "Caddyfile"
    tls = f"\tbind 127.0.0.1\n\ttls {chain} {key}\n\treverse_proxy {NOWHERE} 127.0.0.1:1\n"
    file.write_text(filled_in(CADDYFILE, {
        "\n{\n": "\n{\n\tadmin off\n\tauto_https disable_redirects\n",
        "shop.example.com {\n": f"https://127.0.0.1:{port} {{\n{tls}",
        "127.0.0.1:8080": f"127.0.0.1:{server.port}"}))
    command = ["env", f"XDG_DATA_HOME={folder}", f"XDG_CONFIG_HOME={folder}", program, "run", "--adapter", "caddyfile",
               "--config", str(file)]
    return running("Caddy", command, None, port, "/health", folder / "caddy.log", trust)


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


def files_of(server, player):
    """Of the bundle; those of the theme apart."""
    manifest = Client(server.port).json("GET", f"/v1/bundles/{BUNDLE}", 200, player.authorization)
    theme = [file["url"] for file in manifest["files"] if file["path"].startswith(f"{THEME}/")]
    return [file for file in manifest["files"] if file["url"] not in theme], theme


def check_same(local, front, files):
    """Whoever asks gets from both the same."""
    for file in files:
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


def check_accel(accel, front, files):
    """nginx sends the files, and only where the server says so."""
    for file in files:
        direct = Client(accel.port).ask("GET", file["url"], 200)
        if direct[1] or not direct[0]["x-accel-redirect"].startswith("/internal-content/"):
            raise Failure(f"the server itself answers {direct[0]}")
    for name in ("small.bin", "../products.json"):
        answer(front, "GET", f"/internal-content/{BUNDLE}/1.0.0/{name}", 404, {})


def counted(front, paths, source):
    """How often each status came, where so many ask at once."""
    def ask(share):
        connection, found = connect(front.port, ANSWER_WITHIN, front.tls, source), []
        for path in share:
            connection.request("GET", path)
            received = connection.getresponse()
            received.read()
            found.append(received.status)
        return found
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(sum(pool.map(ask, (paths[number::AT_ONCE] for number in range(AT_ONCE))), []))


def check_theme(front, theme, source="127.0.0.1"):
    said = counted(front, theme, source)
    if said != {200: THEME_FILES}:
        raise Failure(f"of a theme of {THEME_FILES} files, {AT_ONCE} at a time: {dict(said)}")
    print(f"check-nginx: {front.name}: {THEME_FILES} files, {AT_ONCE} at a time: {THEME_FILES} × 200", flush=True)


def check_limits(front, probe):
    """What is no download is limited for each address, and for each /64 of IPv6, where addresses cost nothing."""
    said = counted(front, [LIST] * THEME_FILES, "127.0.0.4")
    if not said[200] or not said[429]:
        raise Failure(f"nginx has no limit on requests: {dict(said)}")
    def status(address):
        connection = connect(probe, ANSWER_WITHIN)
        connection.request("GET", "/x", headers={"X-Real-IP": address})
        return connection.getresponse().status
    said = Counter(status(f"2001:db8:a0a:a0a::{number:x}") for number in range(THEME_FILES))
    if not said[429] or status("2001:db8:a0a:a0b::1") != 404:
        raise Failure(f"from one network of IPv6: {dict(said)}")


def check_plain(front, plain, folder):
    """Plain HTTP leads to TLS, but for what a certificate authority asks; IPv6 is answered too."""
    challenge = folder / CHALLENGE
    challenge.parent.mkdir(parents=True)
    challenge.write_bytes(b"proof")
    if Client(plain).ask("GET", f"/{CHALLENGE}", 200)[1] != b"proof":
        raise Failure("the certificate authority gets another proof")
    if Client(plain).ask("GET", LIST, 308)[0]["location"] != f"https://127.0.0.1{LIST}":
        raise Failure("plain HTTP leads elsewhere")
    if HAS_IPV6:
        Client(front.port, front.tls, "::1", "::1").ask("GET", LIST, 200)
        Client(plain, None, "::1", "::1").ask("GET", LIST, 308)


def check_addresses(front, first, second):
    """Each client is its own to the limits of the server, and cannot say that it is another."""
    def guess(source, status, headers=None):
        body = {"recoveryCode": f"AAAA-{source}"}
        Client(front.port, front.tls, source).ask("POST", "/v1/sessions", status, headers, body)

    for number in range(WRONG_CODES):
        guess(first, 401, {"X-Forwarded-For": f"203.0.113.{number}"})
    guess(first, 429, {"X-Forwarded-For": "203.0.113.200"})
    guess(second, 401)


def check_closed(front, paths, status):
    for path in paths:
        Client(front.port, front.tls).ask("GET", path, status)


def check_replicas(program, workspace, server, theme):
    """Both servers are the same one; nothing is asked of the object store."""
    at, folder = f"127.0.0.1:{server.port}", workspace.folder / "replicas"
    names = {"SERVER_1": at, "SERVER_2": at, "STORE": at, "CONTENT_HOST": "content.example", "GATEWAY": "192.0.2.1",
             "SERVERS_NETWORK": "192.0.2.0/24", "ADMIN_NETWORK": ADMINISTRATOR}
    process, plain, probe = nginx(program, folder, "replicas.conf", names)
    with process as front:
        check_closed(front, ADMINISTRATION, 403)
        check_closed(front, METRICS, 404)
        Client(front.port, front.tls, ADMINISTRATOR).ask("GET", "/admin/v1/apps", 401)
        check_theme(front, theme)
        check_limits(front, probe)
        check_plain(front, plain, folder)


def check_single(program, workspace, servers, files, theme):
    (local, accel), folder = servers, workspace.folder / "nginx"
    names = {"HOST_NAME": "localhost", "SERVER": f"127.0.0.1:{accel.port}", "CONTENT_FOLDER": str(workspace.content)}
    process, plain, probe = nginx(program, folder, "quartermaster.conf", names)
    with process as front:
        check_same(local, front, files)
        check_accel(accel, front, files)
        check_theme(front, theme)
        check_limits(front, probe)
        check_plain(front, plain, folder)
        check_addresses(front, "127.0.0.2", "127.0.0.3")
        check_versions(front, folder)
        check_closed(front, ADMINISTRATION + METRICS, 404)


def check_caddy(program, workspace, local, files, theme):
    folder = workspace.folder / "caddy"
    with caddy(program, folder, local) as front:
        check_same(local, front, files)
        check_theme(front, theme)
        check_addresses(front, "127.0.0.5", "127.0.0.6")
        check_versions(front, folder)
        check_closed(front, ADMINISTRATION + METRICS, 404)
        Client(front.port, front.tls).ask("GET", f"{NOWHERE}?grant=secret", 502)
    log = (folder / "caddy.log").read_text()
    if NOWHERE not in log or "secret" in log:
        raise Failure("Caddy logs no error, or a grant in it")


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
            raise Failure(f"{front.name} took TLS {version} with {suites}")


def main():
    binary, nginx_program, caddy_program = sys.argv[1:]
    with run_of("check-nginx"), folder_of("check-nginx") as folder:
        workspace = Workspace(folder, binary, nginx_program, machine.Cores(None, None))
        workspace.prepare(FILES)
        (workspace.files / ODD_NAME).write_bytes(ODD_CONTENT)
        (workspace.files / THEME).mkdir()
        for number in range(THEME_FILES):
            write_file(workspace.files / THEME / f"{number}.bin", THEME_FILE_BYTES)
        os.environ["QUARTERMASTER_TRUSTED_PROXIES"] = "127.0.0.1"
        with workspace.serving(is_pinned=False) as local:
            player = shop.player_with_bundle(Client(local.port), Client(local.store_port))
            files, theme = files_of(local, player)
            check_caddy(caddy_program, workspace, local, files, theme)
            os.environ["QUARTERMASTER_DELIVERY"] = "accel"
            with workspace.serving(is_pinned=False, log="accel.log") as accel:
                check_single(nginx_program, workspace, (local, accel), files, theme)
                # The object store is not there: the server's own files are asked of it.
                check_replicas(nginx_program, workspace, local, theme)
    print("check-nginx: nginx and Caddy send what the server would, under TLS, each client is its own to the limits, "
          "and administration has no way in")


main()
