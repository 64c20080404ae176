"""What the verification of signed data costs. scripts/bench/verification.sh is what starts it."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

import machine
from failure import folder_of, run_of
from process import output_of, pinned
from rounds import Spread
from table import print_rows, spread_text

HERE = Path(__file__).parent
# Ours, what openssl makes of one bare signature, and Apple's library for Python, without its online checks.
WARM, COLD, RECEIPT, OPENSSL, APPLE = (
    "transaction, known signer", "transaction, cold signer", "app receipt, 2 purchases", "openssl speed ecdsap256",
    "transaction, Apple's library")
OURS = {WARM: "warm", COLD: "cold", RECEIPT: "receipt"}
# Of one measure once; a round that hangs ends the run.
LONGEST_START = 60  # seconds
EXPLANATION = """
Medians [lowest..highest] of what one core does in a second of its own time, so that what else the machine does counts
little; ratios are of rounds next to each other. The same transaction for all, signed by keys made for this run."""


def arguments():
    parser = argparse.ArgumentParser(prog="verification.sh")
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--python", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds")
    parser.add_argument("--json", type=Path, default=Path("var/bench-verification.json"), help="where the numbers go")
    return parser.parse_args()


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.seconds = 1 if options.quick else 3
        self.core = machine.Cores.chosen().server

    def output(self, command):
        return output_of(*pinned(self.core, command), within=LONGEST_START + self.seconds)

    def rate(self, measure):
        """Per second of CPU time."""
        if measure == OPENSSL:
            return float(self.output(["openssl", "speed", "-seconds", self.seconds, "ecdsap256"]).split()[-1])
        if measure == APPLE:
            command = [self.options.python, "-B", HERE / "apple.py", self.folder, self.seconds]
        else:
            command = [self.options.binary, self.folder, OURS[measure], "--seconds", self.seconds]
        count, seconds = self.output(command).split()
        return int(count) / float(seconds)

    def rounds(self):
        """There and back, so that what drifts evenly favours nobody."""
        measures = [WARM, OPENSSL, RECEIPT, COLD, APPLE]
        rates = {measure: [] for measure in measures}
        for number in range(2 if self.options.quick else 8):
            for measure in measures if number % 2 == 0 else reversed(measures):
                rates[measure].append(self.rate(measure))
        return rates


def ratios(rates, measure, other):
    return Spread.of(a / b for a, b in zip(rates[measure], rates[other]))


def print_table(rates):
    rows = [("measure", "per CPU second", "to openssl", "to Apple's library")]
    for measure, values in rates.items():
        rows.append((
            measure, spread_text(Spread.of(values), "{:,.0f}"), spread_text(ratios(rates, measure, OPENSSL), "{:.3f}"),
            spread_text(ratios(rates, measure, APPLE))))
    print_rows(rows)
    print(EXPLANATION)


def write_json(path, rates):
    content = {
        measure: {
            "per_cpu_second": asdict(Spread.of(values)), "to_openssl": asdict(ratios(rates, measure, OPENSSL)),
            "to_apple": asdict(ratios(rates, measure, APPLE)), "rounds": values,
        } for measure, values in rates.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2) + "\n")


def main():
    options = arguments()
    with run_of("bench"), folder_of("verification-bench", None) as folder:
        output_of(sys.executable, "-B", HERE.parent / "signed_data.py", folder)
        rates = Bench(options, folder).rounds()
    print_table(rates)
    write_json(options.json, rates)


main()
