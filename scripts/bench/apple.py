"""Verifies a signed transaction over and over by Apple's own library, offline. Runs in the environment that has it.

python apple.py FOLDER SECONDS prints how many were verified, and the CPU seconds that it took.
"""

import sys
import time
from pathlib import Path

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

BATCH = 10


def main():
    folder, seconds = Path(sys.argv[1]), float(sys.argv[2])
    jws = (folder / "transaction.jws").read_text()
    roots = [(folder / "jws-root.der").read_bytes()]
    verifier = SignedDataVerifier(roots, False, Environment.SANDBOX, "com.example.hangman")
    verifier.verify_and_decode_signed_transaction(jws)
    count, computed_before, began = 0, time.process_time(), time.monotonic()
    while time.monotonic() - began < seconds:
        for _ in range(BATCH):
            verifier.verify_and_decode_signed_transaction(jws)
        count += BATCH
    print(count, time.process_time() - computed_before)


main()
