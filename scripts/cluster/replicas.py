"""Several servers on one database, nginx before them, the simulated App Store beside them, and their troubles."""

import time
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection

from bucket import CONTENT
from failure import Failure
from nginx import nginx_command
from process import free_ports, output_of, running

# Seconds between two kills, and between two outages of the database; how long an outage lasts.
KILL_EVERY, OUTAGE_EVERY, OUTAGE = (2.0, 5.0), (12.0, 20.0), (0.5, 3.0)
LOOK_EVERY = 0.1  # seconds
# PostgreSQL says that it is ready before every server has connected to it again.
RECOVERED_WITHIN = 2.0  # seconds
# Within its `http`.
NGINX = """
    access_log off;
    client_max_body_size 4m;
    upstream quartermaster {{ {servers} keepalive 64; }}
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        location / {{
            proxy_pass http://quartermaster;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header X-Forwarded-For $remote_addr;
            # What a player sends may be sent twice: the answer is the same, and nothing is given twice.
            proxy_next_upstream error timeout non_idempotent;
            proxy_connect_timeout 2s;
        }}
    }}
"""


def simulator(binary, folder):
    [port] = free_ports(1)
    command = [binary, "simulator", "--database", str(folder / "store.sqlite"), "--simulator-port", str(port)]
    return running("the simulated App Store", command, None, port, "/simulator/v1/root.cer", folder / "store.log")


class Replicas:
    def __init__(self, binary, nginx, folder, database, store, bucket):
        self.binary, self.nginx_binary, self.folder = binary, nginx, folder
        self.database, self.bucket = database, bucket
        self.roots = folder / "root.cer"
        self.roots.write_bytes(fetch(store.port, "/simulator/v1/root.cer"))
        self.ports, self.stacks = [], {}
        self.port = None

    @contextmanager
    def running(self, count):
        *self.ports, self.port = free_ports(count + 1)
        try:
            for number in range(count):
                self.start(number)
            with self.nginx():
                yield self
        finally:
            for number in list(self.stacks):
                self.stacks.pop(number).close()

    def start(self, number):
        port = self.ports[number]
        command = [
            "env", f"QUARTERMASTER_ROOT_CERTIFICATES={self.roots}", "QUARTERMASTER_TRUSTED_PROXIES=127.0.0.1",
            "QUARTERMASTER_LIMITS_ACCOUNTS_PER_MINUTE=off", *self.bucket.environment, self.binary, "serve", "--host",
            "127.0.0.1", "--port", str(port), "--database", self.database, "--products", "products.json", "--content",
            CONTENT]
        stack = ExitStack()
        process = stack.enter_context(
            running(f"server {number}", command, None, port, "/ready", self.folder / f"server-{number}.log"))
        self.stacks[number] = stack
        stack.process = process

    def kill(self, number):
        """As `kill -9` does; it is started again by :meth:`start`."""
        stack = self.stacks.pop(number)
        stack.process.popen.kill()
        stack.process.popen.wait()
        # The one thing that is left to do for a process which is gone is to find that it is.
        try:
            stack.close()
        except Failure:
            pass

    def command(self, *words):
        """What the command line says about the ledger."""
        return output_of(
            "env", *self.bucket.environment, self.binary, *words, "--database", self.database, "--products",
            "products.json", within=600)

    def nginx(self):
        folder = self.folder / "nginx"
        folder.mkdir()
        servers = " ".join(f"server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;" for port in self.ports)
        # The servers that are killed are no news.
        command = nginx_command(self.nginx_binary, folder, NGINX.format(port=self.port, servers=servers), level="crit")
        return running("nginx", command, None, self.port, "/health", self.folder / "nginx.log")


def fetch(port, path):
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    return connection.getresponse().read()


class Trouble:
    """Servers are killed, and PostgreSQL is stopped and started, until the players are done.

    On the main thread: what is started here ends with the thread that started it.
    """

    def __init__(self, replicas, postgres, generator):
        self.replicas, self.postgres, self.generator = replicas, postgres, generator
        # Of the outages, the monotonic times of begin and end.
        self.kills, self.outages = 0, []

    def until(self, future):
        """What the future has, or what it failed with."""
        next_kill, next_outage = self.later(KILL_EVERY), self.later(OUTAGE_EVERY)
        while not future.done():
            if time.monotonic() > next_outage:
                began = time.monotonic()
                self.postgres.restart(
                    pause=self.generator.uniform(*OUTAGE), mode=self.generator.choice(["fast", "immediate"]))
                self.outages.append((began, time.monotonic()))
                next_outage = self.later(OUTAGE_EVERY)
            if time.monotonic() > next_kill:
                number = self.generator.randrange(len(self.replicas.ports))
                self.replicas.kill(number)
                self.kills += 1
                self.replicas.start(number)
                next_kill = self.later(KILL_EVERY)
            time.sleep(LOOK_EVERY)
        return future.result()

    def expect_no_refusal_without_outage(self, refusals):
        """A server may answer 503 only while it has no database: what is in the way of something else is waited for."""
        unexplained = [each for each in refusals if not any(
            each.ended >= began and each.began <= ended + RECOVERED_WITHIN for began, ended in self.outages)]
        if unexplained:
            raise Failure(
                f"{len(unexplained)} times 503 without an outage of PostgreSQL; the first: {unexplained[0].words}")

    def later(self, bounds):
        return time.monotonic() + self.generator.uniform(*bounds)
