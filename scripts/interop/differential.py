"""The same altered receipts to the server and to the library: the server accepts nothing that the library refuses."""

import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from uuid import uuid4

import requests
from appstoreserverlibrary.signed_data_verifier import VerificationException, VerificationStatus

from authority import Authority
from failure import Failure
from mutations import Mutations
from shop import TYPES

ANSWER_WITHIN = 300  # seconds: a hundred receipts of strangers with a debug build
PER_CALL, PER_ACCOUNT = 100, 300  # As many as the server takes; a player's lot.
AT_ONCE = 2  # calls: the server judges one while the library judges another
CUSTOMERS = 4
BUSY_ROUNDS, BUSY_PAUSE = 20, 1  # seconds; a server that has too much to do says so
ACCEPTED_OF = 20  # One of so many at least: where everything is refused nothing is compared.
# What a refusal of the server may be for; anything else is no verdict.
REASONS = {
    "malformed", "signature", "chain", "expiredCertificate", "bundleID", "appAppleID", "environment", "notFound",
    "unsupported"}
# The library's own tests sign with such certificates, and switch its strict checks off for them.
LIKE_ITS_TESTS = (
    "without key identifiers", "without its own key identifier", "without its issuer's key identifier",
    "without key usages", "whose constraints may be ignored")
# Where the server refuses on purpose what the library takes. It takes nothing that the library refuses.
# The beginning of the kind, and why.
EXPLAINED = (
    ("base64 variant", "RFC 7515 §2: no padding, no line breaks, no unused bits; one text for one receipt"),
    ("character inserted", "the same: what is no base64url is no JWS, wherever it stands"),
    ("character changed", "the same: the unused bits of the last character"),
    ("parts rearranged", "the same, where all three parts are the original's"),
    ("trusted header: {\"crit\"", "RFC 7515 §4.1.11: no critical extension is understood"),
    ("trusted header: {\"b64\"", "RFC 7797 §6: the payload is always encoded"),
    ("trusted header with a member twice", "RFC 7515 §4: names must be unique"),
    ("trusted header text", "the header is JSON to the letter (RFC 8259)"),
    ("trusted text", "the same of the payload"),
    ("trusted claim twice", "RFC 7519 §4: names must be unique"),
    ("trusted registered claim", "RFC 7519 §4.1: times are numbers, names are text; nobody here is an audience"),
    ("trusted date", "signed in the future, beyond the 5 minutes that clocks may differ"),
    *((f"trusted claim: {name}", "no time in whole milliseconds from 1970 to 9999") for name in (
        "signedDate", "purchaseDate", "originalPurchaseDate", "expiresDate", "revocationDate")),
    *((f"trusted claim: {name}", "an ID of the store is a text of 1 to 20 digits") for name in (
        "transactionId", "originalTransactionId")),
    *((f"trusted claim: {name}", "not of the type that Apple's page says") for name in (
        "advancedCommerceInfo", "appAccountToken", "bundleId", "commitmentInfo", "environment", "inAppOwnershipType",
        "isUpgraded", "offerType", "price", "productId", "quantity", "revocationPercentage", "revocationReason",
        "subscriptionGroupIdentifier", "type")),
    ("trusted claim left out", "every transaction of the store has it; a subscription has an end"),
    ("odd chain: leaf an authority", "a signer that may issue certificates is none of the store's"),
    ("odd chain: leaf for", "the leaf's key is for other uses than signatures (RFC 5280 §4.2.1.3)"),
    ("odd chain: intermediate whose constraints may be ignored", "an authority's are critical (RFC 5280 §4.2.1.9)"),
    ("odd chain: leaf without", "none of the store's certificates is without"))
ACCEPTED = {"verified", "conflict"}  # Of a conflict the receipt is genuine, and somebody else's.


def purchases(shop):
    """Genuine receipts of every type, of several customers."""
    for _ in range(CUSTOMERS):
        customer = str(uuid4())
        for product in TYPES:
            bought = shop.buy(product, appAccountToken=customer)
            yield shop.environment, bought["signedTransaction"]
        answer = shop.act(f"subscriptions/{bought['originalTransactionID']}/renew")
        yield shop.environment, answer["signedTransaction"]


class Server:
    def __init__(self, address):
        self.address, self.session, self.sent = address, requests.Session(), 0

    def ask(self, method, path, body=None):
        answer = self.session.request(method, self.address + path, json=body, timeout=ANSWER_WITHIN)
        if answer.status_code not in (200, 201):
            raise Failure(f"{method} {path}: {answer.status_code} {answer.text[:600]}")
        return answer.json()

    def sign_in(self):
        """By an account of its own."""
        self.session.headers["Authorization"] = f"Bearer {self.ask('POST', '/v1/accounts')['accessToken']}"

    def restore(self, texts):
        """What became of each, in their order."""
        if self.sent % PER_ACCOUNT == 0:
            self.sign_in()
        self.sent += PER_CALL
        return self.ask("POST", "/v1/restore", {"receipts": texts})["receipts"]

    def judge(self, texts):
        """Where there is no verdict now, again."""
        answers = self.restore(texts)
        for _ in range(BUSY_ROUNDS):
            open_ones = [
                number for number, answer in enumerate(answers)
                if answer["status"] == "rejected" and answer["reason"] not in REASONS]
            if not open_ones:
                return [self.reading(answer) for answer in answers]
            time.sleep(BUSY_PAUSE)
            for number, answer in zip(open_ones, self.restore([texts[number] for number in open_ones])):
                answers[number] = answer
        raise Failure(f"no verdict on {len(open_ones)} receipts: {answers[open_ones[0]]}")

    def reading(self, answer):
        """The answer, and where it is verified the IDs that were read in the receipt."""
        if answer["status"] == "verified":
            transactions = self.ask("GET", f"/v1/receipts/{answer['receipt']}")["transactions"]
            answer["read"] = [(transaction["id"], transaction["product"]) for transaction in transactions]
        return answer


class Library:
    def __init__(self, shops, root, is_strict=True):
        self.verifiers = {shop.environment: shop.verifier(root) for shop in shops}
        for verifier in self.verifiers.values():
            verifier._chain_verifier.enable_strict_checks = is_strict

    def read(self, text):
        """The transaction, where it takes the receipt in either environment; the reason, where it does not."""
        for verifier in self.verifiers.values():
            try:
                return verifier.verify_and_decode_signed_transaction(text), None
            except VerificationException as error:
                reason = error
                if error.status != VerificationStatus.INVALID_ENVIRONMENT:
                    break
            except Exception as error:  # The library raises whatever its dependencies do.
                return None, error
        return None, reason


class Comparison:
    def __init__(self, library, library_of_its_tests, checks):
        self.library, self.library_of_its_tests, self.checks = library, library_of_its_tests, checks
        self.count, self.both, self.compared = 0, 0, 0
        self.stricter = Counter()

    def take(self, mutant, answer):
        # The server takes receipts as files have them, with white space around.
        library = self.library_of_its_tests if mutant.kind.endswith(LIKE_ITS_TESTS) else self.library
        theirs, reason = library.read(mutant.text.strip())
        self.count += 1
        # What waits for the store to say how it is now was verified here.
        is_waiting = answer["status"] == "pending" and mutant.text.count(".") == 2
        is_accepted = answer["status"] in ACCEPTED or is_waiting
        if theirs is not None and is_accepted:
            self.both += 1
            self.compare(theirs, answer, mutant)
        elif theirs is not None:
            self.explain(mutant, f"refused ({answer['reason']}), not by the library")
        elif is_accepted:
            self.checks.expect(False, f"accepted, not by the library ({reason.__cause__!r}): {mutant.kind}")
        else:
            self.checks.count += 1

    def compare(self, theirs, answer, mutant):
        if answer["status"] == "verified":
            self.compared += 1
            expected = [(theirs.transactionId, theirs.productId)]
            self.checks.equal(answer["read"], expected, f"what is read in: {mutant.kind}")

    def explain(self, mutant, what):
        why = next((why for kind, why in EXPLAINED if mutant.kind.startswith(kind)), None)
        self.checks.expect(why is not None, f"{what}: {mutant.kind}")
        self.stricter[(mutant.kind, why)] += 1

    @property
    def table(self):
        neither = self.count - self.both - self.stricter.total()
        return "\n".join([
            f"{self.count} altered receipts: {neither} refused by both, {self.both} accepted by both",
            f"  and {self.compared} of those compared in what was read", "",
            f"{self.stricter.total()} accepted by the library alone:", *rows(self.stricter), ""])


def rows(counter):
    for (kind, why), count in sorted(counter.items(), key=str):
        yield f"{count:6} {kind[:60]:60} {why or 'A FINDING'}"


def batches(items, size):
    items = iter(items)
    while batch := list(islice(items, size)):
        yield batch


def run(address, shops, authority, count, seed, checks):
    originals = [purchase for shop in shops for purchase in purchases(shop)]
    mutations = Mutations(random.Random(seed), originals, authority, Authority("Foreign"))
    server, root = Server(address), authority.root_der
    comparison = Comparison(Library(shops, root), Library(shops, root, is_strict=False), checks)
    # One connection: while it waits for the server the library judges what came before.
    with ThreadPoolExecutor(1) as pool:
        waiting = []
        for batch in batches(mutations.draw(count), PER_CALL):
            waiting.append((batch, pool.submit(server.judge, [mutant.text for mutant in batch])))
            if len(waiting) >= AT_ONCE:
                settle(*waiting.pop(0), comparison)
        for batch, answers in waiting:
            settle(batch, answers, comparison)
    checks.expect(comparison.both >= count // ACCEPTED_OF, f"only {comparison.both} receipts were accepted by both")
    return comparison.table


def settle(batch, answers, comparison):
    for mutant, answer in zip(batch, answers.result(), strict=True):
        comparison.take(mutant, answer)
