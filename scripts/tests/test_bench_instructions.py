"""The count of instructions beside the one that is kept, and the answers that are counted."""

import json
import socket

import pytest

from callgrind import Counted
from counted_histories import is_too_much
from failure import Failure
from instructions import COUNTS, Request, costs_more_with_products, kept, merged, parts_of, report

OURS, OTHERS = {"swift": "6.3", "libc": "glibc 2.36"}, {"swift": "6.4", "libc": "glibc 2.36"}


def entry(versions=OURS, **instructions):
    return {"versions": versions, "instructions": instructions}


@pytest.mark.parametrize("count, is_too_high", [
    (100_000, False), (102_999, False), (103_001, True), (200_000, True), (50_000, False)])
def test_a_count_is_too_high_beyond_three_percent(count, is_too_high, capsys):
    assert report(entry(list=100_000), True, {"list": count}) == (["list"] if is_too_high else [])
    assert f"{count:,}" in capsys.readouterr().out


def test_each_count_that_is_too_high_is_named():
    before = entry(list=100, unchanged=100, receipt=100)
    assert report(before, True, {"list": 104, "unchanged": 100, "receipt": 200}) == ["list", "receipt"]


def test_nothing_follows_from_the_counts_of_other_versions(capsys):
    assert report(entry(OTHERS, list=100), False, {"list": 200}) == []
    assert capsys.readouterr().out.startswith("other versions than those")


def test_what_was_not_counted_or_has_no_count_yet_is_not_judged(capsys):
    assert report(entry(list=100), True, {"receipt": 200}) == []
    assert "receipt" in capsys.readouterr().out


@pytest.mark.parametrize("count, is_told", [(96, True), (98, False), (100, False)])
def test_fewer_than_before_is_told(count, is_told, capsys):
    assert report(entry(list=100), True, {"list": count}) == []
    assert ("WRITE=1" in capsys.readouterr().out) == is_told


def test_the_entry_of_these_versions_is_compared_with_or_else_the_newest():
    first, second = entry(OTHERS, list=1), entry(OURS, list=2)
    assert kept([first, second], OURS) == (second, True)
    assert kept([first], OURS) == (first, False)
    assert kept([], OURS) == ({"versions": {}, "instructions": {}}, False)


def test_new_counts_are_merged_into_the_entry_of_these_versions():
    entries = [entry(OTHERS, list=9), entry(OURS, receipt=1, list=2, gone=3)]
    assert merged(entries, OURS, {"list": 5, "connection": 6}) == [
        entry(OURS, list=5, connection=6, receipt=1), entry(OTHERS, list=9)]
    # In the order of the names.
    assert list(merged(entries, OURS, {"connection": 6})[0]["instructions"]) == ["list", "connection", "receipt"]


def test_those_of_other_versions_stay_as_they_are():
    entries = [entry(OTHERS, list=9)]
    assert merged(entries, OURS, {"receipt": 1}) == [entry(OURS, receipt=1), entry(OTHERS, list=9)]
    assert entries == [entry(OTHERS, list=9)]


def test_every_count_is_of_several_parts():
    assert all(parts_of(name) >= 3 for name in COUNTS)


def test_what_a_process_does_by_itself_does_not_count():
    assert Counted(1_000_000, 4.0, None).beyond(50_000) == 800_000


@pytest.mark.parametrize("some, many, too_much", [(100, 130, False), (100, 131, True), (100, 50, False)])
def test_who_bought_much_costs_at_most_a_third_more(some, many, too_much):
    assert is_too_much(some, many) == too_much


@pytest.mark.parametrize("counts, too_much", [
    ({"receipt": 1_000, "catalog": 1_100}, False), ({"receipt": 1_000, "catalog": 1_101}, True),
    ({"receipt": 1_000, "catalog": 500}, False), ({"catalog": 1_000}, False), ({"receipt": 1_000}, False)])
def test_a_receipt_costs_at_most_a_tenth_more_with_many_products(counts, too_much):
    assert costs_more_with_products(counts) == too_much


HEAD = "GET /v1/products?x=1 HTTP/1.1\r\n"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n[\"abc\"]"


def asked(request, *parts):
    """Over a real connection, of which the other end answers without looking."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for part in parts:
            theirs.sendall(part)
        theirs.shutdown(socket.SHUT_WR)
        request.ask(ours)
        ours.close()
        return theirs.recv(1000)


@pytest.mark.parametrize("request_, parts", [
    (Request(HEAD, 200), [ANSWER]), (Request(HEAD, 200, word="abc"), [ANSWER]),
    (Request(HEAD, 200, length=7), [ANSWER]),
    (Request(HEAD, 200), [ANSWER[:20], ANSWER[20:39], ANSWER[39:]]),
    (Request(HEAD, 304), [b"HTTP/1.1 304 Not Modified\r\ncontent-length: 7\r\n\r\n"])])
def test_the_answer_that_is_expected_is_taken(request_, parts):
    assert asked(request_, *parts) == b"GET /v1/products?x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize("request_, answer", [
    (Request(HEAD, 304), ANSWER), (Request(HEAD, 201), ANSWER), (Request(HEAD, 200, word="xyz"), ANSWER),
    (Request(HEAD, 200, length=8), ANSWER), (Request(HEAD, 200, length=7), ANSWER.replace(b"200", b"500"))])
def test_another_answer_is_a_failure(request_, answer):
    with pytest.raises(Failure, match=r"^GET /v1/products: "):
        asked(request_, answer)


@pytest.mark.parametrize("answer", [b"", ANSWER[:20], ANSWER[:-1]])
def test_an_answer_that_is_cut_off_is_a_failure(answer):
    with pytest.raises(Failure, match="closed a connection"):
        asked(Request(HEAD, 200), answer)


def test_a_request_with_a_body_says_how_long_it_is():
    body = json.dumps({"receipt": "x"})
    content = Request("POST / HTTP/1.1\r\n", 200, body).content.decode()
    assert f"\r\nContent-Length: {len(body)}\r\n\r\n{body}" in content
