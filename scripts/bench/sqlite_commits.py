"""How many rows a second a loop commits one by one: sqlite_commits.py FILE COUNT."""

import sqlite3
import sys
import time

ROWS_TABLE = "CREATE TABLE bare (value TEXT NOT NULL)"


def main():
    file, count = sys.argv[1], int(sys.argv[2])
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(ROWS_TABLE)
    began = time.monotonic()
    for _ in range(count):
        connection.execute("INSERT INTO bare (value) VALUES ('x')")
    print(count / (time.monotonic() - began))


if __name__ == "__main__":
    main()
