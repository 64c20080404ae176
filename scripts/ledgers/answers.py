"""What the server answers from the ledger, to be asked again by a later one."""

import base64
import hashlib
import json
from datetime import datetime, timedelta

from shop import APP, SECOND_APP

# Every so many accounts one is asked about, and all that are blocked.
EVERY = 5
LINK_LIFETIME = timedelta(minutes=15)


class Recorder:
    def __init__(self, world, options):
        self.world, self.content = world, {"name": options.name, "seed": options.seed, "exchanges": []}

    def admin(self, printed):
        self.content["admin"] = json.loads(printed)["token"]
        return self.content["admin"]

    def add(self, **members):
        self.content.update(members)

    def ask(self, path, token=None):
        answer = self.world.server.ask("GET", path, token=token)
        self.content["exchanges"].append({
            "path": path, "token": token, "status": answer.status, "at": self.time(answer.json), "body": answer.json})
        return answer.json

    def time(self, answer):
        """When the server answered: as the answer says, or the links in it, which end after a fixed time."""
        if "expires" in answer:
            end = datetime.fromisoformat(answer["expires"])
            return (end - LINK_LIFETIME).strftime("%Y-%m-%dT%H:%M:%SZ")
        return answer.get("at", self.world.time())

    def record(self, stories):
        admin = self.content["admin"]
        for player in stories.blocked + stories.players[::EVERY]:
            self.record_player(player, admin)
        for path in ("deliveries", "deliveries?unconfirmed=true&olderThan=0", f"apps/{APP}/products",
                     f"apps/{SECOND_APP}/products", "bundles/hard-words/versions", "bundles/issues/versions"):
            self.ask(f"/admin/v1/{path}", admin)
        for app in (APP, SECOND_APP):
            self.ask(f"/v1/apps/{app}/products")
        self.ask("/v1/keys")
        self.add(
            products=(self.world.folder / "products.json").read_text(), content=self.files(),
            xcode=base64.b64encode((self.world.folder / "xcode.der").read_bytes()).decode())

    def record_player(self, player, admin):
        for query in ("", f"?bundleID={APP}", f"?bundleID={APP}&environment=Sandbox",
                      f"?bundleID={APP}&environment=Xcode", f"?bundleID={SECOND_APP}&environment=Sandbox"):
            self.ask(f"/v1/entitlements{query}", player.token)
        for bundle in self.ask("/v1/bundles", player.token).get("bundles", []):
            self.ask(f"/v1/bundles/{bundle['bundle']}", player.token)
        for receipt in [each for each in player.sent if each][-3:]:
            self.ask(f"/v1/receipts/{receipt}", player.token)
            self.ask(f"/admin/v1/accounts?receipt={receipt}", admin)
        for transaction, _ in player.bought[-2:]:
            self.ask(f"/admin/v1/accounts?transaction={transaction}", admin)
        self.ask(f"/admin/v1/accounts/{player.account}", admin)

    def files(self):
        """The content, by path; the store's own folder with its records and objects too."""
        root = self.world.folder / "content"
        return {str(path.relative_to(root)): base64.b64encode(path.read_bytes()).decode()
                for path in sorted(root.rglob("*")) if path.is_file()}

    def record_commands(self, world):
        """With the server stopped."""
        trail = world.folder / "trail.jsonl"
        world.run("audit", "export", "--output", str(trail))
        self.add(
            export={"sha256": hashlib.sha256(trail.read_bytes()).hexdigest(),
                    "rows": len(trail.read_text().splitlines())},
            verify=world.run("audit", "verify"), check=world.run("ledger", "rebuild", "--check"))

    def text(self):
        return json.dumps(self.content, ensure_ascii=False, indent=1) + "\n"
