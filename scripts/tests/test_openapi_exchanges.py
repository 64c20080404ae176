"""Exchanges that are read from the bytes of connections."""

import json

import pytest

import exchanges

GET = "GET /v1/products HTTP/1.1\r\nHost: x\r\n\r\n"
POST = "POST /v1/receipts HTTP/1.1\r\nContent-Length: 4\r\n\r\n\u00e4bc"
OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


def read(sent, heard):
    return [(each["method"], each["path"], each["requestBody"], each["status"], each["body"])
            for each in exchanges.of_connection("Tests/x", sent, heard)]


@pytest.mark.parametrize("sent, heard, expected", [
    (GET, OK, [("GET", "/v1/products", "", 200, "{}")]),
    # One after the other; lengths are those of the bytes.
    (POST + GET, OK + OK, [("POST", "/v1/receipts", "äbc", 200, "{}"), ("GET", "/v1/products", "", 200, "{}")]),
    # An answer before the answer.
    (POST, "HTTP/1.1 100 Continue\r\n\r\n" + OK, [("POST", "/v1/receipts", "äbc", 200, "{}")]),
    # A length without a body.
    (GET.replace("GET", "HEAD") + GET, OK[:-2] + OK, [
        ("HEAD", "/v1/products", "", 200, ""), ("GET", "/v1/products", "", 200, "{}")]),
    (GET, "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n", [("GET", "/v1/products", "", 304, "")]),
    (GET, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n",
     [("GET", "/v1/products", "", 200, "abc0123456789")]),
    # A request that is cut off is the last.
    (POST[:-1] , OK, [("POST", "/v1/receipts", "", 200, "{}")]),
    # What cannot be read.
    ("", OK, []), (GET, "", []), (GET, OK[:-1], []), (GET, OK[:20], []), ("nonsense\r\n\r\n", OK, []),
    ("GET /v1/products HTTP/2\r\n\r\n", OK, []), (GET, OK.replace("{}", "\ufffd\ufffd"), []),
    (GET, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc", []),
])
def test_exchanges_are_read_as_far_as_both_sides_are_http(sent, heard, expected):
    assert read(sent, heard) == expected


def test_a_header_twice_has_both_values_and_names_are_in_lower_case():
    text = "GET / HTTP/1.1\r\nVary: a\r\nvary:b\r\n\r\nrest"
    assert exchanges.head(text) == ("GET / HTTP/1.1", {"vary": "a, b"}, "rest")
    for odd in ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n"):
        assert exchanges.head(odd) is None


def test_a_record_is_read_by_its_subject(tmp_path):
    path = tmp_path / "record"
    entries = [{"test": "a", "method": "GET"}, {"test": "b", "subject": "simulator"}, {
        "test": "c", "sent": GET, "received": OK}]
    path.write_text("".join(json.dumps(each) + "\n" for each in entries))
    assert [each["test"] for each in exchanges.read(path, "server")] == ["a", "c"]
    assert [each["test"] for each in exchanges.read(path, "simulator")] == ["b"]
