"""The link that `make run` prints opens the pages: a browser that follows it is signed in."""

import os
import re
import shutil
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request
from pathlib import Path

from process import free_ports, stock
from world import ROOT

SAID_WITHIN = 60  # seconds: the script's own limit, and the link
STOPS_WITHIN = 30  # seconds
LINK = re.compile(r"Admin pages +(\S+)")


class Unfollowed(urllib.request.HTTPRedirectHandler):
    """A redirection is the answer."""

    def redirect_request(self, *_):
        return None


def opened(link):
    """Status, place and cookie of the answer to a link."""
    opener = urllib.request.build_opener(Unfollowed, urllib.request.ProxyHandler({}))
    try:
        answer = opener.open(link, timeout=SAID_WITHIN)
    except urllib.error.HTTPError as error:
        answer = error
    return answer.status, answer.headers["Location"], answer.headers["Set-Cookie"] or ""


def printed(script):
    """The link among the lines that the script prints; None if it ends, or is ended, without."""
    for line in script.stdout:
        if found := LINK.search(line):
            return found.group(1)
    return None


def make_run(binary, expect, passed):
    """In a folder of its own, since the script keeps a ledger and settings where it stands."""
    with tempfile.TemporaryDirectory(prefix="qm-run-") as folder:
        stock(folder, ROOT)
        Path(folder, "scripts").mkdir()
        shutil.copy(ROOT / "scripts/run.sh", Path(folder, "scripts"))
        port, store_port = map(str, free_ports(2))
        script = subprocess.Popen(
            [f"{folder}/scripts/run.sh"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=os.environ | {"QUARTERMASTER_BINARY": str(Path(binary).resolve()), "QUARTERMASTER_PORT": port,
                              "QUARTERMASTER_SIMULATOR_PORT": store_port})
        limit = threading.Timer(SAID_WITHIN, script.terminate)
        limit.start()
        try:
            link = printed(script)
            expect(link is not None, "make run prints no link")
            if link:
                status, place, cookie = opened(link)
                is_in = status == 303 and place == "/admin" and cookie.startswith("__Host-qm_admin=")
                expect(is_in, f"the link of make run, {link}: {status}, {place}")
        finally:
            limit.cancel()
            script.terminate()
            script.stdout.close()
            script.wait(STOPS_WITHIN)
    passed("the link that make run prints signs in")
