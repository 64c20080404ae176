"""How long and how much: every number that decides what a run costs."""

from dataclasses import dataclass

# Connections of the load for answers that are small: enough to keep one core of the server busy.
CONNECTIONS = 64
# For long answers: a few saturate the core, more only multiply what is cut off when a round ends.
LARGE_CONNECTIONS = 4
SMALL_FILE_BYTES = 16 << 10
MEDIUM_FILE_BYTES = 1 << 20
LARGE_FILE_BYTES = 64 << 20
RANGE_BYTES = 256 << 10
# Of a studio with a few dozen products. The catalog is filled up to so many.
PRODUCT_COUNT = 67
# Where nobody is pinned, the load takes as much as it gets: a few connections, of which each waits for its answer.
UNPINNED_CONNECTIONS = 16
UNPINNED_WORKERS = 2
# The simulated App Store folds a customer's whole history for each purchase, so that players buy little each.
PURCHASES_PER_PLAYER = 4
# They buy before anything is timed; more threads than these wait for each other.
BUYING_THREADS = 8


@dataclass(frozen=True)
class Plan:
    # Each is A-B-B-A: two pairs of rounds, and what drifts evenly favours neither.
    quadruples: int
    # Of one timed round. wrk takes whole seconds.
    seconds: int
    warm_up_seconds: int
    # How often a round of reads is run at most, while others compute besides.
    tries: int
    # New receipts of one round: from one client, which waits for the disk each time, and from CONNECTIONS clients.
    receipts_alone: int
    receipts_together: int
    # New receipts whose flushes are counted, with as many clients.
    flushed_alone: int
    flushed_together: int
    # New receipts beside the bare commits of a store whose flushes are slow, and before they are counted.
    commits_alone: int
    commits_together: int
    commits_warm_up: int
    # What an account has bought before, and how many receipts and reads are measured of it.
    histories: tuple
    history_receipts: int
    history_reads: int
    # Of the large ledger, with 25 purchases each.
    large_accounts: int
    # Flushes of the disk that are timed one by one.
    disk_probes: int
    # The whole run; a round of receipts has a tenth of it. Something hangs where this is not enough.
    time_limit: int


FULL = Plan(
    quadruples=4, seconds=3, warm_up_seconds=2, tries=3, receipts_alone=300, receipts_together=1000, flushed_alone=100,
    flushed_together=1000, commits_alone=300, commits_together=3000, commits_warm_up=500,
    histories=(0, 10, 100, 1_000, 10_000), history_receipts=40, history_reads=100, large_accounts=200_000,
    disk_probes=300, time_limit=7200)

QUICK = Plan(
    quadruples=1, seconds=1, warm_up_seconds=1, tries=1, receipts_alone=60, receipts_together=250, flushed_alone=40,
    flushed_together=200, commits_alone=40, commits_together=400, commits_warm_up=100,
    histories=(0, 10, 100), history_receipts=10, history_reads=20, large_accounts=400,
    disk_probes=50, time_limit=900)
