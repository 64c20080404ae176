"""How soon a change of the catalog is everywhere."""

import json
import time

from client import Client
from failure import Failure
from players import APP

POLL_EVERY = 0.01  # seconds
SEEN_WITHIN = 10  # seconds


def catalog_changes(replicas, count, within):
    """Adds a product by one server's administration and waits until all sell it, so often.

    Returns: what was found, in words.
    """
    token = replicas.command("admin-token", "create", "--name", "cluster", "--role", "write", "--json")
    headers = {"Authorization": f"Bearer {json.loads(token)['token']}"}
    clients = [Client(port) for port in replicas.ports]
    times = sorted(change(clients, headers, number) for number in range(count))
    late = times[min(count - 1, int(count * 0.99))]
    if late > within:
        raise Failure(f"of {count} changes of the catalog, one in a hundred took over {late:.2f} s")
    return (f"{count} changes of the catalog: everywhere after {times[count // 2]:.2f} s (median), {late:.2f} s (99 in "
            f"100), {times[-1]:.2f} s (all)")


def change(clients, headers, number):
    name = f"{APP}.change{number}"
    entry = {"id": name, "type": "consumable", "credits": {"hints": 1}}
    began = time.monotonic()
    clients[number % len(clients)].json("PUT", f"/admin/v1/apps/{APP}/products/{name}", 201, headers, entry)
    for client in clients:
        while name not in client.json("GET", f"/v1/apps/{APP}/products", 200)["productIDs"]:
            if time.monotonic() - began > SEEN_WITHIN:
                raise Failure(f"a change of the catalog is not everywhere after {SEEN_WITHIN} s")
            time.sleep(POLL_EVERY)
    return time.monotonic() - began
