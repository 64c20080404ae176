"""Servers are killed, and PostgreSQL is stopped and started, until the players are done."""

import time

from failure import Failure

# Seconds between two kills, and between two outages of the database; how long an outage lasts.
KILL_EVERY, OUTAGE_EVERY, OUTAGE = (2.0, 5.0), (12.0, 20.0), (0.5, 3.0)
LOOK_EVERY = 0.1  # seconds
# PostgreSQL says that it is ready before every server has connected to it again.
RECOVERED_WITHIN = 2.0  # seconds


class Trouble:
    """On the main thread: what is started here ends with the thread that started it."""

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
