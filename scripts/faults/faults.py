"""What goes wrong: how it is caused for real, how it is mended, and what has to tell it."""

import json
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from failure import Failure
from place import IS_ROOT
from process import eventually, output_of
from verdict import ERROR, SERVER

BALLAST_BYTES = 4 << 10
# What a disk may have room for after it is full: a log that is already as long as it gets.
REQUESTS_UNTIL_FULL = 2_000
# More than a few, so that no single attacker or odd phone looks like it.
RECEIPTS = 30
# The App Store counts as out after some failures in a row.
UNANSWERED = 6
SOON = 60  # seconds


@dataclass(frozen=True)
class Fault:
    name: str
    cause: Callable
    mend: Callable
    # What `quartermaster status` tells, one of these; none if it cannot know.
    alarms: tuple
    # A part of the advice.
    words: str = ""
    alerts: tuple = ()
    # What a start says that the fault prevents.
    refusal: str = ""
    needs_root: bool = False
    # Of the place.
    options: dict = field(default_factory=dict)


def alarm(name):
    """An alert is called as its alarm is."""
    return {"alarms": (name,), "alerts": (f"Quartermaster{name[0].upper()}{name[1:]}",)}


# The disk

def fill_disk(place):
    with (place.ledger / "ballast").open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(BALLAST_BYTES))
    if not any(place.post("/v1/accounts") == 503 for _ in range(REQUESTS_UNTIL_FULL)):
        raise Failure("the disk is full, and accounts are still made")


def empty_disk(place):
    (place.ledger / "ballast").unlink()
    eventually("no account is made", SOON, lambda: place.post("/v1/accounts") == 201)


# The ledger's permissions

def take_ledger(place):
    """As a copy that root made: the file is another's, and closed."""
    place.stop()
    for file in place.ledger.glob("ledger.sqlite*"):
        file.chmod(0o600 if IS_ROOT else 0)
        if IS_ROOT:
            os.chown(file, 0, 0)
    return place.refused_start()


def give_ledger_back(place):
    for file in place.ledger.glob("ledger.sqlite*"):
        file.chmod(0o600)
        if IS_ROOT:
            output_of("chown", "nobody:nogroup", file)
    place.start()


# The port

def take_port(place):
    place.stop()
    place.squatter = socket.create_server(("127.0.0.1", place.port))
    return place.refused_start()


def free_port(place):
    place.squatter.close()
    place.start()


# The content

def delete_bundle(place):
    (place.content / "hard-words").rename(place.folder / "away")


def put_bundle_back(place):
    (place.folder / "away").rename(place.content / "hard-words")


def close_bundle(place):
    """As publishing as root with umask 077 leaves it."""
    output_of("chown", "-R", "root:root", place.content / "ios-words")
    (place.content / "ios-words").chmod(0o700)


def open_bundle(place):
    output_of("chown", "-R", "nobody:nogroup", place.content / "ios-words")
    (place.content / "ios-words").chmod(0o755)


# The catalog

def break_catalog(place):
    place.catalog = place.products.read_text()
    catalog = json.loads(place.catalog)
    catalog["apps"][0]["products"][0]["type"] = "consumible"
    place.products.write_text(json.dumps(catalog))


def mend_catalog(place):
    place.products.write_text(place.catalog)


# The App Store

def use_other_key(place):
    place.key = (place.folder / "key.p8").read_text()
    place.write_key(output_of("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"))
    place.restart()


def use_key(place):
    place.write_key(place.key)
    place.restart()


def forget_roots(place):
    place.roots = place.settings.pop("rootCertificates")
    place.restart()
    place.refused = place.receipts(RECEIPTS, "signedTransaction")
    place.send(place.refused, 202, 422)


def trust_roots(place):
    place.settings["rootCertificates"] = place.roots
    place.restart()
    place.send([*place.refused, *place.receipts(1, "signedTransaction")], 200)


def cut_store(place):
    """What only the App Store can judge waits for it."""
    receipts = place.receipts(UNANSWERED, "transactionReceipt")
    place.stop("store")
    place.send(receipts, 202)


def join_store(place):
    place.start_store()


# The clock

def set_clock_back(place):
    place.set_clock(-600)
    place.send(place.receipts(1, "signedTransaction"), 202, 422)


def set_clock_right(place):
    """A notification of the purchase before was refused, as it was signed in the future: one of the next is not."""
    place.set_clock(0)
    place.send(place.receipts(1, "signedTransaction"), 200)


# Other machines

def stop_database(place):
    place.postgres.stop("fast")


def start_database(place):
    place.postgres.start()


def stop_replica(place):
    place.stop(1)


def start_replica(place):
    place.start(1)


def let_certificate_expire(place):
    place.make_certificate(days=1)


def renew_certificate(place):
    place.make_certificate(days=90)


DOWN = ("QuartermasterDown",)
BUNDLE = {"alarms": ("contentMissing", "contentRejected"),
          "alerts": ("QuartermasterContentMissing", "QuartermasterContentRejected")}
FAULTS = [
    Fault("disk full", fill_disk, empty_disk, **alarm("ledgerNotWritable"), words="free space", needs_root=True,
          options={"disk": True}),
    Fault("ledger of another user", take_ledger, give_ledger_back, (ERROR,), "cannot be opened", DOWN,
          refusal="cannot be opened"),
    Fault("port taken", take_port, free_port, (SERVER,), "look at its log", DOWN, refusal="Address already in use"),
    Fault("PostgreSQL down", stop_database, start_database, (ERROR,), "PostgreSQL", DOWN, options={"postgres": True}),
    Fault("one of two servers down", stop_replica, start_replica, (SERVER,), "start it",
          ("QuartermasterReplicaDown",), options={"postgres": True, "servers": 2}),
    Fault("bundle deleted", delete_bundle, put_bundle_back, words="ut the bundle back", **BUNDLE),
    Fault("bundle unreadable", close_bundle, open_bundle, needs_root=True, **BUNDLE),
    Fault("mistake in the catalog", break_catalog, mend_catalog, **alarm("catalogRefused"),
          words="Correct the catalog"),
    Fault("clock 10 minutes behind", set_clock_back, set_clock_right, **alarm("clockBehind"), words="Set the clock",
          options={"clock": True}),
    Fault("root not trusted", forget_roots, trust_roots, **alarm("receiptsRejected"), words="rootCertificates"),
    Fault("wrong key for the App Store", use_other_key, use_key, ("storeRefusesKey",), "correct the app's private",
          ("QuartermasterStoreRefusesCredentials",)),
    Fault("App Store unreachable", cut_store, join_store, **alarm("storeOutage"), words="outgoing HTTPS"),
    Fault("certificate expires", let_certificate_expire, renew_certificate, (),
          alerts=("QuartermasterCertificateExpires",), options={"tls": True}),
]
