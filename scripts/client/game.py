"""The game as a process that takes commands, and what its client has on disk."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

from failure import Failure


def hashes(folder):
    """The SHA-256 of each file by its path."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*") if path.is_file()}


class Game:
    """Hangman with --plain: a command a line, an answer a line."""

    def __init__(self, binary, server, store, home):
        self.process = subprocess.Popen(
            [binary, "--plain", "--server", server, "--simulator", store, "--home", home],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, command):
        """The answer; empty if the game ended before it."""
        self.send(command)
        return self.answer()

    def send(self, command):
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def answer(self):
        return self.process.stdout.readline().strip()

    def expect(self, command, words):
        answer = self.ask(command)
        if words not in answer:
            raise Failure(f"{command}: {answer!r}, expected {words!r}")
        return answer

    @property
    def status(self):
        return json.loads(self.ask("status"))

    def peak(self):
        """The most memory it had so far, in bytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
        raise Failure("the game has no memory")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def quit(self):
        self.send("quit")
        if self.process.wait(timeout=60) != 0:
            raise Failure(f"the game ended with {self.process.returncode}")


class Shelf:
    """What the client of a home folder has installed."""

    def __init__(self, home):
        self.content = home / "shop" / "content"

    def expect_whole(self, bundle, versions):
        """Fails if a file of the installed version is wrong or missing.

        versions: the files of each version that was ever published, by path, as SHA-256. Returns the installed one.
        """
        record = self.content / "bundles" / f"{bundle}.json"
        if not record.exists():
            return None
        version = json.loads(record.read_text())["value"]
        folder = self.content / "versions" / bundle / version["folder"]
        if not folder.exists():
            folder = next(iter(self.content.glob(f"versions/*/{version['folder']}")), folder)
        found = hashes(folder)
        if found != versions[version["version"]]:
            raise Failure(f"{bundle} {version['version']} is installed and wrong: {sorted(found)}")
        return version["version"]

    def forget_content(self):
        """As on a device that has the account and no bundle yet."""
        shutil.rmtree(self.content, ignore_errors=True)
