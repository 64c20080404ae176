"""Has schemathesis try every operation of a description on a fresh server. schemathesis.sh starts it."""

import argparse
import json
import os
import re
import shutil
import subprocess
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

import fuzzed
from failure import Failure, folder_of, run_of
from process import running

SUBJECTS = {"server": fuzzed.Server, "simulator": fuzzed.Simulator}
HERE = Path(__file__).resolve().parent
# Too slow a generator, or one that gives up often, is no fault of the server.
HEALTH = "all"
# Where files cost no wait for a disk: half of the time of requests that change something.
MEMORY = Path("/dev/shm")
MOST_ROUNDS = 40
# Of its summary.
GENERATED = re.compile(r"^\s*(\d+) generated, ", re.M)


class Round:
    """What came of one seed on a server of its own."""

    def __init__(self, options, seed):
        self.options, self.seed = options, seed
        self.cases, self.requests, self.status, self.process = 0, Counter(), 1, None

    def run(self):
        began, kind = time.monotonic(), self.options.kind
        with folder_of("quartermaster-fuzzing", MEMORY if MEMORY.is_dir() else None) as folder:
            subject = kind(self.options.binary, folder)
            log = folder / "server.log"
            with running(kind.NAME, subject.command, None, subject.port, kind.READY, log):
                (folder / "facts.json").write_text(json.dumps({
                    **subject.facts(), "server": f"http://127.0.0.1:{subject.port}",
                    "description": self.options.description, "progress": str(folder / "progress.json")}))
                output = self.schemathesis(folder, subject.port)
            if self.options.log:
                shutil.copy(log, f"{self.options.log}.{self.seed}")
            progress = json.loads((folder / "progress.json").read_text())
        self.requests.update(progress["requests"])
        if found := GENERATED.search(output):
            self.cases = int(found[1])
        if self.status:
            output += f"schemathesis ended with {self.status}; the last request was {progress['last']}\n"
        print(f"{output}seed {self.seed}: {self.cases} cases in {time.monotonic() - began:.0f} s\n", flush=True)
        return self

    def stop(self):
        """Its thread then ends the server and removes the folder."""
        if self.process:
            self.process.kill()

    def schemathesis(self, folder, port):
        options, kind = self.options, self.options.kind
        environment = {
            **os.environ, "QUARTERMASTER_FUZZ_FACTS": str(folder / "facts.json"), "SCHEMATHESIS_HOOKS": kind.HOOKS,
            "PYTHONPATH": str(HERE), "NO_PROXY": "*", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen([
            "setpriv", "--pdeathsig", "KILL", options.schemathesis, "--config-file", str(HERE / kind.SETTINGS), "run",
            options.description, "--url", f"http://127.0.0.1:{port}", "--suppress-health-check", HEALTH,
            "--seed", str(self.seed), "--max-examples", str(options.examples), "--output-sanitize", "false",
            "--generation-database", "none", "--no-color", *options.more
        ], env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output, _ = self.process.communicate()
        self.status = self.process.returncode
        return output


def rounds(options):
    """One round; or rounds with one seed after the other, until there were so many cases."""
    begun, ended, cases, requests, failed = [], 0, 0, Counter(), []
    with ThreadPoolExecutor(options.at_once) as pool:
        def begin():
            begun.append(Round(options, options.seed + len(begun)))
            return pool.submit(begun[-1].run)

        try:
            going = {begin() for _ in range(options.at_once if options.cases else 1)}
            while going:
                done, going = wait(going, return_when=FIRST_COMPLETED)
                for each in (future.result() for future in done):
                    ended += 1
                    cases += each.cases
                    requests += each.requests
                    failed += [each.seed] if each.status else []
                if len(begun) < MOST_ROUNDS and are_too_few(cases, ended, len(going), options.cases):
                    going.add(begin())
        except BaseException:
            for each in begun:
                each.stop()
            raise
    report(options, cases, requests, failed)


def are_too_few(cases, ended, going, wanted):
    """Whether the rounds that ended and those that go on have fewer cases than wanted, if those that go on have as many
    as the others."""
    return cases + going * cases // ended < wanted


def report(options, cases, requests, failed):
    for operation, count in sorted(requests.items(), key=lambda each: each[1]):
        print(f"{count:8} requests  {operation}")
    print(f"{cases} cases, {requests.total()} requests to {len(requests)} operations")
    if failed:
        raise Failure(f"not as described, or stopped before its end, with the seeds {sorted(failed)}")
    if cases < options.cases:
        raise Failure(f"{cases} cases with {MOST_ROUNDS} seeds, and {options.cases} are wanted")


def main():
    parser = argparse.ArgumentParser(prog="schemathesis.sh")
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--schemathesis", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--of", choices=SUBJECTS, default="server")
    parser.add_argument("--description", type=os.path.realpath, help="in place of the subject's own")
    parser.add_argument("--seed", type=int, default=1, help="of the first round")
    parser.add_argument("--examples", type=int, default=500, help="of each operation and phase in a round")
    parser.add_argument("--cases", type=int, default=0, help="another round until there were so many")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, help="how many rounds beside each other")
    parser.add_argument("--log", help="where the servers' logs are kept, with the seed at the end of the name")
    parser.add_argument("more", nargs="*", help="arguments of schemathesis run, after --")
    options = parser.parse_args()
    options.kind = SUBJECTS[options.of]
    options.description = options.description or os.path.realpath(options.kind.DESCRIPTION)
    with run_of("schemathesis"):
        rounds(options)


if __name__ == "__main__":
    main()
