"""Makes a ledger of every kind of row with a server that is built, and notes what that server answers from it.

    scripts/ledgers/make.sh --binary PROGRAM --name NAME [--receipts 2000] [--seed 1]

writes Tests/Fixtures/Ledgers/NAME.sqlite.zst, the ledger as the server left it but for the rows of the simulated App
Store, and NAME.json.zst: the catalog and content that it was made with, and requests with their answers. The tests open
both with the code of today, to see that no release forgets what an earlier one recorded. NAME is the release's commit.
The story is the same for a seed; IDs, keys and signatures differ from run to run. Keys and tokens in it are of this
ledger alone.
"""

import argparse
import random
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import shop
from answers import Recorder
from failure import Failure, folder_of, run_of
from kinds import count, missing
from shop import APP, SECOND_APP
from stories import Stories
from world import World

FIXTURES = Path("Tests/Fixtures/Ledgers")
TIME_LIMIT = 3_600  # seconds
START = "2025-06-01T00:00:00Z"
DAY = 86_400
STEPS, DAYS_OF_STEP = 40, 10
PLAYERS = 120
# From this step on the App Store judges app receipts, what waits for it gives access meanwhile, and the catalog is in
# the ledger.
LATE_STEP = 25
LATE = {"QUARTERMASTER_APP_RECEIPTS": "verifyReceipt", "QUARTERMASTER_PROVISIONAL_HOURS": "24",
        "QUARTERMASTER_CATALOG": "database"}
# In one step of so many the store tells the server what happens; else the ledger is too large.
NOTIFIED_STEP = 4
# The waiting receipts at the end.
WAITING = 6
NOTIFIED_WITHIN = 5  # seconds


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--binary", required=True, type=Path)
    parser.add_argument("--name", required=True)
    parser.add_argument("--receipts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def settings(folder, is_late):
    apps = {f"QUARTERMASTER_APPS_{app.upper().replace('.', '_')}_SHARED_SECRET": "secret" for app in (APP, SECOND_APP)}
    limits = {f"QUARTERMASTER_LIMITS_{name}_PER_MINUTE": "off" for name in ("RECEIPTS", "ACCOUNTS", "NOTIFICATIONS")}
    xcode = {"QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN_XCODE_CERTIFICATES": str(folder / "xcode.der")}
    return {**limits, **apps, **xcode, **(LATE if is_late else {})}


def read(world, statement):
    with closing(sqlite3.connect(world.database)) as database:
        return database.execute(statement).fetchone()


def receipts(world):
    return read(world, "SELECT count(*) FROM receipts")[0]


# MARK: What happens on certain days


def publish(stories, bundle, version, text, channel="stable"):
    """By the administrators' interface, whose dates are those of the server."""
    data = text.encode()
    digest = shop.signed_data.openssl("dgst", "-sha256", "-r", input=data).split()[0].decode()
    file = {"path": "words.txt", "size": len(data), "sha256": digest}
    stories.support("POST", f"bundles/{bundle}/versions", {
        "version": version, "channel": channel, "files": [file]}, expected=(200, 201))
    stories.support("PUT", f"content/{digest}", data, expected=(200, 201, 204))
    stories.support("POST", f"bundles/{bundle}/versions/{version}/publish", expected=(200, 201))


def edit_catalog(stories, world, is_late):
    path = f"apps/{APP}/products/{shop.LATE_PRODUCT}"
    if is_late:
        return stories.support("DELETE", path, expected=(204,))
    entry = {"type": "non-consumable", "bundles": ["night-theme"], "metadata": {"isLate": True}}
    return stories.support("PUT", path, entry, expected=(200, 201))


def tell(world, is_told, **members):
    """Where the store's notifications go: to the server, or nowhere."""
    port = world.port if is_told else 9
    address = {"url": f"http://127.0.0.1:{port}/v1/notifications/app-store", **members}
    world.store.ask("PUT", "/simulator/v1/notification-url", address, expected=[204])


def special(step, stories, world):
    """What happens once, on certain days."""
    tell(world, step % NOTIFIED_STEP == 0)
    if step % 4 == 1:
        publish(stories, "issues", f"1.{step}.0", f"Issue {step}\n" * step)
    if step in (12, 34):
        edit_catalog(stories, world, is_late=step == 34)
    if step == 8:
        publish(stories, "hard-words", "1.1.0", "rhythm\njazz\nfjord\n")
    if step == 14:
        publish(stories, "hard-words", "1.2.0-beta.1", "rhythm\njazz\nfjord\nwaltz\n", "beta")
    if step == 20:
        stories.support("POST", "bundles/hard-words/versions/1.1.0/yank", expected=(200, 204))
    if step == 24:
        stories.support("POST", "bundles/hard-words/versions/1.1.0/restore", expected=(200, 204))
    if step == 16:
        tell(world, True, version=1, password="secret", bundleID=SECOND_APP)
        world.buy(SECOND_APP, f"{SECOND_APP}.daily", "auto-renewable", appAccountToken=stories.anybody().account)
    if step == 18:
        world.store.ask("POST", "/simulator/v1/notification-faults", {"duplicate": 5, "reorder": True}, expected=[204])
    if step == 22:
        world.store.ask("DELETE", "/simulator/v1/notification-faults", expected=[204])
        world.run("admin-token", "create", "--name", "bob", "--role", "read")
        world.run("admin-token", "revoke", "--name", "bob")


def trouble(stories, world):
    """The store is away: what it must be asked about waits."""
    world.fault(http=503)
    for number in range(WAITING):
        player = stories.join()
        name, kind = [("hardwords", "non-consumable"), ("tenhints", "consumable")][number % 2]
        purchase = stories.buy(player, name, kind)
        form = ["appReceipt", "transactionReceipt", "transactionID"][number % 3]
        stories.send(player, purchase[form], expected=(202,))


# MARK: The whole


def wait_for_notifications(world):
    """Until the server has what the store told, and no receipt waits."""
    deadline, before = time.monotonic() + NOTIFIED_WITHIN, None
    while time.monotonic() < deadline:
        now = read(world, """
            SELECT (SELECT count(*) FROM notifications), (SELECT count(*) FROM notifications WHERE retryAt IS NOT NULL),
            (SELECT count(*) FROM receipts WHERE status = 'pending'),
            (SELECT count(*) FROM consumptionRequests WHERE outcome IS NULL)""")
        if now == before and now[1:] == (0, 0, 0):
            return
        before = now
        time.sleep(0.3)


def play(options, world, stories, recorder):
    step, is_late = 0, False
    while step < STEPS:
        with world.serving(settings(world.folder, is_late)):
            # What nobody told is not fetched afterwards.
            world.fault(http=503, path="/production/inApps/v1/notifications/history")
            while step < STEPS and (step < LATE_STEP or is_late):
                world.set_clock(world.now + DAYS_OF_STEP * DAY)
                special(step, stories, world)
                for _ in range(PLAYERS // STEPS + 1):
                    if len(stories.players) < PLAYERS:
                        stories.join()
                step += 1
                while receipts(world) < options.receipts * step // STEPS - (WAITING if step == STEPS else 0):
                    stories.happen()
                wait_for_notifications(world)
                print(f"step {step}: {receipts(world)} receipts", flush=True)
            if step == STEPS:
                trouble(stories, world)
                recorder.record(stories)
        is_late = True


def finish(options, world, recorder):
    """Takes out the simulated store, whose play money a server without it refuses, and writes both files."""
    recorder.record_commands(world)
    with closing(sqlite3.connect(world.database)) as database:
        database.execute("DELETE FROM keyValues WHERE key LIKE 'simulator/%'")
        database.commit()
        database.execute("VACUUM")
        kinds = count(database)
    recorder.add(kinds=kinds)
    FIXTURES.mkdir(parents=True, exist_ok=True)
    (world.folder / "answers.json").write_text(recorder.text())
    for file, name in [(world.database, f"{options.name}.sqlite.zst"),
                       (world.folder / "answers.json", f"{options.name}.json.zst")]:
        subprocess.run(["zstd", "--ultra", "-22", "--long=27", "-q", "-f", file, "-o", FIXTURES / name], check=True)
        print(f"{FIXTURES / name}: {(FIXTURES / name).stat().st_size} bytes")
    return kinds


def run(options):
    with folder_of("quartermaster-ledger", None) as folder:
        shop.write(folder)
        world = World(options.binary.resolve(), folder, shop.seconds(START))
        xcode = shop.Xcode(folder)
        world.begin()
        admin = world.run("admin-token", "create", "--name", "alice", "--role", "write", "--json")
        recorder = Recorder(world, options)
        stories = Stories(world, xcode, recorder.admin(admin), random.Random(options.seed))
        play(options, world, stories, recorder)
        for outcome, number in sorted(stories.outcomes.items()):
            print(f"{number:6} {outcome}")
        kinds = finish(options, world, recorder)
    if lacking := missing(kinds):
        raise Failure(f"the ledger has nothing of these kinds: {', '.join(lacking)}")


def main():
    options = arguments()
    with run_of("make.py", TIME_LIMIT):
        run(options)


main()
