"""Two records of the tests' exchanges: what differs between any two runs, and what is a difference."""

import json

import pytest

import compare_exchanges
from compare_exchanges import compared, plain, sorted_members, without_values, without_words

PROBLEM = '{"code": "not_found", "title": "%s", "detail": "%s"}'


@pytest.mark.parametrize("one, other", [
    ("eyJhbGciOi.eyJwcm9kdWN0.c2lnbmF0dXJl", "eyJhbGciOi.eyJvdGhlcnMx.b3RoZXJzaWdu"),
    ("0b0e5c1e-0000-4000-8000-000000000001", "7B0E5C1E-AAAA-4000-8000-0000000000FF"),
    ("KX4M-AAAA-BBBB-CCCC", "ZZZZ-1111-2222-3333"),
    ("r_abcdefghijkl", "r_mnopqrstuvwx"),
    ("/v1/content/x?grant=abc", "/v1/content/x?grant=other"),
    ("http://127.0.0.1:8080/v1", "http://127.0.0.1:31999/v1"),
    ("a" * 32, "b/+_" * 10 + "=="),
    (r"a\/b\\/c", "a/b/c"),
    ('"id": 2000000000000001', '"id": 2000000000000999'),
])
def test_what_differs_between_any_two_runs_counts_for_nothing(one, other):
    assert plain(one) == plain(other)


@pytest.mark.parametrize("one, other", [
    ('"status": 200', '"status": 404'), ("not_found", "busy"), ("r_abcdefghijkl", "d_abcdefghijkl"), ("/v1/a", "/v1/b"),
    ('"credits": 10', '"credits": 12'), ("127.0.0.1:8080", "localhost:8080"), ("12345678", "12345679"),
    # A placeholder says of what kind it stands for.
    ("0b0e5c1e-0000-4000-8000-000000000001", "2000000000000001"), ("grant=abc", "grant="),
])
def test_anything_else_is_a_difference(one, other):
    assert plain(one) != plain(other)


def test_the_order_of_members_counts_for_nothing_and_that_of_lists_does():
    assert sorted_members('{"b": 1, "a": {"d": 1, "c": 2}}') == sorted_members('{"a": {"c": 2, "d": 1}, "b": 1}')
    assert sorted_members("[1, 2]") != sorted_members("[2, 1]")
    assert sorted_members("no JSON {") == "no JSON {"
    assert sorted_members("[" * 100_000) == "[" * 100_000


def test_of_metrics_only_the_names_and_labels_count():
    text = '# HELP a What.\n# TYPE a counter\na{code="%s"} %s'
    assert without_values(text % ("200", 17)) == without_values(text % ("200", 18)) == 'a{code="200"}'
    assert without_values(text % ("200", 17)) != without_values(text % ("500", 17))
    assert without_values("17 bytes") == "<bytes>"


def test_words_of_problems_are_left_out_and_those_of_others_stay():
    assert without_words(PROBLEM % ("Not found", "x")) == without_words(PROBLEM % ("Nothing there", "y"))
    for body in ('{"title": "A product"}', "[1]", "text"):
        assert without_words(body) == body


def exchange(test, **members):
    return {"test": test, "method": "GET", "path": "/v1/products", "requestBody": "", "requestHeaders": {},
        "status": 200,
            "headers": {"Date": "now", "ETag": "x"}, "body": "{}", **members}


def read(folder, *exchanges, allowed=()):
    record = folder / "record.jsonl"
    record.write_text("".join(json.dumps(each) + "\n" for each in exchanges))
    return compare_exchanges.read(record, allowed)


@pytest.mark.parametrize("change", [
    {"status": 404}, {"body": '{"a": 1}'}, {"headers": {"ETag": "y"}}, {"headers": {}}, {"path": "/v1/other"},
    {"method": "HEAD"}, {"requestBody": '{"a": 1}'}, {"body": PROBLEM % ("Other", "words")}])
def test_a_test_with_another_exchange_differs(tmp_path, change):
    before = read(tmp_path, exchange("A/same"), exchange("A/other", body=PROBLEM % ("Some", "words")))
    after = read(tmp_path, exchange("A/same"), exchange("A/other", **{"body": PROBLEM % ("Some", "words"), **change}))
    assert compared(before, after) == (["A/other", "A/same"], ["A/other"])


def test_the_order_the_line_of_the_test_and_headers_of_the_run_count_for_nothing(tmp_path):
    one, two = exchange("A/b.swift:12:3"), exchange("A/b.swift:12:3", status=404)
    moved = [{**each, "test": "A/b.swift:14:3", "headers": {"date": "then", "X-Request-Id": "1", "ETag": "x"}}
             for each in (two, one)]
    assert compared(read(tmp_path, one, two), read(tmp_path, *moved)) == (["A/b"], [])


def test_the_same_exchange_once_less_is_a_difference(tmp_path):
    once, twice = read(tmp_path, exchange("A")), read(tmp_path, exchange("A"), exchange("A"))
    assert compared(twice, once) == (["A"], ["A"])


def test_tests_of_one_record_alone_are_not_compared(tmp_path):
    before = read(tmp_path, exchange("Gone"), exchange("Both"))
    after = read(tmp_path, exchange("Both"), exchange("New"))
    assert compared(before, after) == (["Both"], [])


def test_titles_differ_unless_they_are_allowed(tmp_path):
    one, other = exchange("A", body=PROBLEM % ("One", "x")), exchange("A", body=PROBLEM % ("Other", "y"))
    assert compared(read(tmp_path, one), read(tmp_path, other))[1] == ["A"]
    assert compared(read(tmp_path, one, allowed=["titles"]), read(tmp_path, other, allowed=["titles"]))[1] == []


def test_what_the_simulator_answered_is_left_out(tmp_path):
    assert not read(tmp_path, exchange("A", subject="simulator"))
