"""Servers are killed, and PostgreSQL is stopped and started, until the players are done."""

import time

# Seconds between two kills, and between two outages of the database; how long an outage lasts.
KILL_EVERY, OUTAGE_EVERY, OUTAGE = (2.0, 5.0), (12.0, 20.0), (0.5, 3.0)
LOOK_EVERY = 0.1  # seconds


class Trouble:
    """On the main thread: what is started here ends with the thread that started it."""

    def __init__(self, replicas, postgres, generator):
        self.replicas, self.postgres, self.generator = replicas, postgres, generator
        self.kills, self.outages = 0, 0

    def until(self, future):
        """What the future has, or what it failed with."""
        next_kill, next_outage = self.later(KILL_EVERY), self.later(OUTAGE_EVERY)
        while not future.done():
            if time.monotonic() > next_outage:
                self.postgres.restart(
                    pause=self.generator.uniform(*OUTAGE), mode=self.generator.choice(["fast", "immediate"]))
                self.outages += 1
                next_outage = self.later(OUTAGE_EVERY)
            if time.monotonic() > next_kill:
                number = self.generator.randrange(len(self.replicas.ports))
                self.replicas.kill(number)
                self.kills += 1
                self.replicas.start(number)
                next_kill = self.later(KILL_EVERY)
            time.sleep(LOOK_EVERY)
        return future.result()

    def later(self, bounds):
        return time.monotonic() + self.generator.uniform(*bounds)
