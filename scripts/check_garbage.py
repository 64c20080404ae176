"""What strangers send does not fill the disk. check-garbage.sh starts it."""

import base64
import json
import random
import sys
import time

from client import APP, Client
from failure import Failure, folder_of, run_of
from process import connect, free_ports, serving, stock

ACCOUNTS = 20
# Bytes of receipts, all together.
SENT, ALLOWED = 200_000_000, 5_000_000
LARGEST = 3 << 20
TIME_LIMIT = 600  # seconds
# A fresh server prepares the days of its reports, which is no growth by what strangers send.
UNCHANGED_FOR = 5  # seconds
ANSWER_WITHIN = 60  # seconds
# The App Store is not to be reached: what can be read waits for it, which is the worst case.
NOWHERE = "QUARTERMASTER_VERIFY_RECEIPT_PRODUCTION=http://127.0.0.1:9/"


def base64_of(data):
    return base64.b64encode(data).decode()


def garbage(first):
    """Begins as an app receipt (0x30) or a property list does, and is none."""
    return lambda generator: base64_of(bytes([first]) + generator.randbytes(LARGEST * 3 // 4 - 1))


def transaction_receipt(generator):
    """Can be read, and is as large as it may be: it waits for the App Store, which has never heard of it."""
    number = generator.randrange(10**15)
    purchase = base64_of(f'{{"transaction-id" = "{number}"; "bid" = "{APP}";}}'.encode())
    return base64_of(f'{{"purchase-info" = "{purchase}"; "pad" = "{"x" * 48_000}";}}'.encode())


def signed_transaction(generator):
    """Has the form of one that somebody else signed, and is as large as it may be."""
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    certificates = [base64_of(generator.randbytes(600)) for _ in range(3)]
    payload = part({"transactionId": str(generator.randrange(10**15)), "pad": "x" * 9_000})
    return f"{part({'alg': 'ES256', 'x5c': certificates})}.{payload}.{'A' * 86}"


KINDS = {"app receipts": garbage(0x30), "property lists": garbage(0x7B), "transaction receipts": transaction_receipt,
         "signed transactions": signed_transaction}


def size(folder):
    """Of the ledger; after the server went it has written its log into the file."""
    return sum(path.stat().st_size for path in folder.glob("ledger.sqlite*"))


def wait_until_unchanged(folder):
    last, since = size(folder), time.monotonic()
    while time.monotonic() - since < UNCHANGED_FOR:
        time.sleep(0.2)
        if size(folder) != last:
            last, since = size(folder), time.monotonic()


def send(port, accounts, generator):
    connection, sent, statuses = connect(port, ANSWER_WITHIN), {kind: 0 for kind in KINDS}, {}
    headers = [{"Authorization": f"Bearer {account['accessToken']}", "Content-Type": "application/json"}
               for account in accounts]
    number = 0
    while sum(sent.values()) < SENT:
        # As many bytes of each kind: of the small ones many.
        kind = min(KINDS, key=lambda each: sent[each])
        receipt = KINDS[kind](generator)
        connection.request("POST", "/v1/receipts", json.dumps({"receipt": receipt}), headers[number % len(headers)])
        answer = connection.getresponse()
        answer.read()
        sent[kind] += len(receipt)
        counts = statuses.setdefault(kind, {})
        counts[answer.status] = counts.get(answer.status, 0) + 1
        number += 1
    return sent, statuses


def run(binary):
    generator = random.Random(1)
    [port] = free_ports(1)
    with folder_of("garbage") as folder:
        stock(folder)
        with serving(binary, folder, port, environment=[NOWHERE]):
            client = Client(port)
            accounts = [client.json("POST", "/v1/accounts", 201) for _ in range(ACCOUNTS)]
            wait_until_unchanged(folder)
        before = size(folder)
        with serving(binary, folder, port, environment=[NOWHERE]):
            sent, statuses = send(port, accounts, generator)
        grown = size(folder) - before
    for kind, count in sent.items():
        print(f"check-garbage: {count:,} bytes of {kind}: {statuses[kind]}")
    print(f"check-garbage: the ledger grew by {grown:,} bytes for {sum(sent.values()):,}")
    if grown > ALLOWED:
        raise Failure(f"that is more than {ALLOWED:,}")


with run_of("check-garbage", TIME_LIMIT):
    run(sys.argv[1])
