"""The same altered receipts to the server and to the library: the server accepts nothing that the library refuses."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from uuid import uuid4

import requests
from appstoreserverlibrary.signed_data_verifier import VerificationException, VerificationStatus

from authority import Authority
from comparison import Comparison, without_verdict
from failure import Failure
from mutations import Mutations
from shop import TYPES

ANSWER_WITHIN = 300  # seconds: a hundred receipts of strangers with a debug build
PER_CALL, PER_ACCOUNT = 100, 300  # As many as the server takes; a player's lot.
AT_ONCE = 2  # calls: the server judges one while the library judges another
CUSTOMERS = 4
BUSY_ROUNDS, BUSY_PAUSE = 20, 1  # seconds; a server that has too much to do says so
ACCEPTED_OF = 20  # One of so many at least: where everything is refused nothing is compared.


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
            open_ones = without_verdict(answers)
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
