"""What Apple's library reads in signed data: every member that was signed, with the very value."""

from enum import Enum

import pytest

from findings import Checks

attrs = pytest.importorskip("attrs")
from members import same_members  # noqa: E402


class Kind(Enum):
    CONSUMABLE = "Consumable"


@attrs.define
class Price:
    amount: int | None = None


@attrs.define
class Transaction:
    """As the library declares them: an enumeration has its text beside it."""

    productId: str | None = None
    type: Kind | None = None
    rawType: str | None = None
    price: Price | None = None
    environment: Kind | None = None


READ = Transaction("hints", Kind.CONSUMABLE, "Consumable", Price(5), Kind.CONSUMABLE)


def findings(values, read=READ):
    checks = Checks()
    same_members(checks, read, values, "it")
    return checks.findings


@pytest.mark.parametrize("values", [
    {}, {"productId": "hints", "type": "Consumable", "price": {"amount": 5}, "environment": "Consumable"}])
def test_what_was_signed_is_read(values):
    assert findings(values) == []


def test_a_text_that_the_librarys_enumeration_does_not_know_is_compared_as_it_is():
    read = Transaction(rawType="Gift", type=None)
    assert findings({"type": "Gift"}, read) == []
    assert findings({"type": "Consumable"}, read) == ["it: type: expected 'Consumable', found 'Gift'"]


@pytest.mark.parametrize("values, finding", [
    ({"productId": "words"}, "it: productId: expected 'words', found 'hints'"),
    # No member of the library's.
    ({"newMember": 1}, "it: newMember: expected 1, found None"),
    # The text of an enumeration, also where the library does not know it.
    ({"type": "Consumables"}, "it: type: expected 'Consumables', found 'Consumable'"),
    ({"environment": "Other"}, "it: environment: expected 'Other', found 'Consumable'"),
    ({"price": {"amount": 6}}, "it: price: amount: expected 6, found 5"),
    ({"price": {"amount": 5, "tax": 1}}, "it: price: tax: expected 1, found None"),
])
def test_each_member_with_another_value_or_none_is_a_finding(values, finding):
    assert findings(values) == [finding]
