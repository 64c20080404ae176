"""Reads what the tests recorded with QUARTERMASTER_RECORD=FILE make test: exchanges, and what went over connections that
tests wrote to byte by byte."""

import json
import re


def read(record, subject):
    """The exchanges with a subject, "server" or "simulator"."""
    with open(record, encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            if entry.get("subject", "server") != subject:
                continue
            if "sent" in entry:
                yield from of_connection(entry["test"], entry["sent"], entry["received"])
            else:
                yield entry


def of_connection(test, sent, heard):
    """The exchanges of one connection with HTTP/1, as far as both sides can be read: bytes that are no HTTP cannot."""
    while (request := head(sent)) and (path := re.fullmatch(r"([A-Z]+) (/\S*) HTTP/1\.[01]", request[0])):
        answer = head(heard)
        while answer and answer[0].split(" ")[1] == "100":
            heard = answer[2]
            answer = head(heard)
        if not answer or "\ufffd" in heard:
            return
        status = int(answer[0].split(" ")[1])
        bodiless = path[1] == "HEAD" or status in (204, 304)
        answered = (None, answer[2]) if bodiless else body(answer[1], answer[2])
        # A request whose body is cut off, or framed by two headers, is the last one of its connection.
        asked = body(request[1], request[2]) or (None, "")
        if not answered:
            return
        yield {
            "test": test, "method": path[1], "path": path[2], "requestHeaders": request[1],
            "requestBody": asked[0] or "", "status": status, "headers": answer[1], "body": answered[0] or ""}
        sent, heard = asked[1], answered[1]


def head(text):
    """The first line, the headers and what follows; None if the head has no end or is none."""
    lines, end, rest = text.partition("\r\n\r\n")
    first, *fields = lines.split("\r\n")
    if not end or any(":" not in field for field in fields) or len(first.split(" ")) < 2:
        return None
    headers = {}
    for name, value in (field.split(":", 1) for field in fields):
        name = name.lower()
        headers[name] = f"{headers[name]}, {value.strip()}" if name in headers else value.strip()
    return first, headers, rest


def body(headers, rest):
    """The body and what follows it; None if it is not all there."""
    if "transfer-encoding" in headers:
        return chunked(rest)
    length = headers.get("content-length", "0")
    encoded = rest.encode()
    if not length.isdecimal() or len(encoded) < int(length):
        return None
    return encoded[:int(length)].decode(errors="replace"), encoded[int(length):].decode(errors="replace")


def chunked(rest):
    found = []
    while match := re.match(r"([0-9a-fA-F]+)\r\n", rest):
        size, rest = int(match[1], 16), rest[match.end():].encode()
        if size == 0:
            return "".join(found), rest.decode(errors="replace").removeprefix("\r\n")
        if len(rest) < size + 2:
            return None
        found.append(rest[:size].decode(errors="replace"))
        rest = rest[size + 2:].decode(errors="replace")
    return None
