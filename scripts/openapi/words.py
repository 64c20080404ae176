#!/usr/bin/env python3
"""Checks that the codes, reasons and other known values of docs/openapi.yaml are those of the sources and of the errors page.

    scripts/openapi/words.py

- The pairs of status and code: those of docs/openapi.yaml = those that Sources make = those of docs/app/errors.md.
- Each enumeration of the description = the values of one enumeration in Sources, whatever its name.
- Reasons, remedies, outcomes and statuses of receipts: those of the description = those of docs/app/errors.md.
"""

import re
import sys

import description as descriptions

ERRORS = "docs/app/errors.md"
SOURCES = ("Sources", "Plugins")
STATUSES = {
    "badRequest": 400, "unauthorized": 401, "forbidden": 403, "notFound": 404, "methodNotAllowed": 405,
    "notAcceptable": 406, "conflict": 409, "preconditionFailed": 412, "contentTooLarge": 413, "rangeNotSatisfiable": 416,
    "unprocessableContent": 422, "tooManyRequests": 429, "internalServerError": 500, "notImplemented": 501,
    "serviceUnavailable": 503,
}
# Made by commands only.
NOT_ON_THE_WIRE = {(409, "name_taken")}
# Reasons of the page that stand for others in the description.
OF_BUNDLES = {"notPurchased"}
# Schemas whose known values an enumeration of the sources has; a dotted name is a member.
ENUMERATIONS = [
    "Environment", "ProductType", "DenialReason", "RejectionReason", "Remedy", "ReceiptStatus", "ReceiptKind", "Outcome",
    "Access", "OriginalTransaction.basis", "Posting.kind", "BundleVersion.state", "Channel", "ContentVariant.encoding",
    "Transaction.ownershipType", "Purchase.ownershipType", "Purchase.state", "PlayerPosting.kind", "Terms.trialCredits",
    "Terms.ownership", "Terms.afterExpiry", "ProductEntry.partialRefund",
    "ReportGrouping",
]


def swift_files():
    for folder in SOURCES:
        for path in (descriptions.ROOT / folder).rglob("*.swift"):
            yield re.sub(r"//.*", "", path.read_text(encoding="utf-8"))


def pairs_in(text):
    for status, code in re.findall(r'\(\s*\.(\w+),\s*"(\w+)"', text):
        if status in STATUSES:
            yield STATUSES[status], code
    for status, code in re.findall(r'var status = (\d+)\s+var code = "(\w+)"', text):
        yield int(status), code


def declarations_in(text):
    """The values of each enumeration, and of each structure with constants in the place of cases."""
    for match in re.finditer(r"\b(?:enum|struct) (\w+)[^{}\n]*\{", text):
        body = direct(text[match.end():])
        values = set()
        without_associated_values = re.sub(r"\([^()]*\)", "", body)
        for line in re.findall(r"^\s*(?:indirect )?case ([^:\n]+)$", without_associated_values, re.M):
            for each in line.split(","):
                name, _, value = each.partition("=")
                values.add(value.strip().strip('"') or name.strip().strip("`"))
        values.update(re.findall(r'static let \w+ = (?:Self|\w+)\(rawValue: "([^"]+)"\)', body))
        if values:
            yield match[1], values


def direct(text):
    """What stands in a declaration's braces, without what stands in further ones."""
    depth, kept = 0, []
    for character in text:
        if character == "}":
            if depth == 0:
                break
            depth -= 1
        elif character == "{":
            depth += 1
        elif depth == 0:
            kept.append(character)
    return "".join(kept)


def tables(page):
    """The rows of the page's tables, by the heading above and the first words of the header row."""
    rows, heading, header = {}, "", None
    for line in page.splitlines():
        if line.startswith("#"):
            heading, header = line.lstrip("# ").replace("`", ""), None
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if header is None:
                header = tuple(cells)
            elif not re.fullmatch(r"[-: ]+", cells[0]):
                rows.setdefault((heading, header[0].strip("`")), []).append(dict(zip([h.strip("`") for h in header], cells)))
        else:
            header = None
    return rows


def values(description, name):
    schema, _, member = name.partition(".")
    found = description.document["components"]["schemas"][schema]
    if member:
        found = description.resolve(found["properties"][member])
    return {value for value in descriptions.enumeration(found) if value is not None}


def differences(what, left, right, names):
    for side, name, other in ((left - right, names[0], names[1]), (right - left, names[1], names[0])):
        for each in sorted(side):
            yield f"{what} {each}: in {name}, not in {other}"


def check_codes(description, sources, rows):
    described = {(status, code) for operation in description.operations
                 for status, response in operation.responses.items() for code in descriptions.codes(response)}
    described |= descriptions.GENERAL
    made = {pair for text in sources for pair in pairs_in(text)} - NOT_ON_THE_WIRE
    told = {(int(row["status"]), row["code"].strip("`")) for (_, first), table in rows.items() if first == "status"
            for row in table if row.get("code", "").startswith("`")}
    yield from differences("code", described, made, ("docs/openapi.yaml", "Sources"))
    yield from differences("code", described, told, ("docs/openapi.yaml", ERRORS))
    yield from differences("code", {code for _, code in described}, values(description, "Code"),
                           ("an answer", "the schema Code"))


def check_enumerations(description, sources):
    declared = [declaration for text in sources for declaration in declarations_in(text)]
    for name in ENUMERATIONS:
        known = values(description, name)
        if not any(known == found for _, found in declared):
            near, found = max(declared, key=lambda each: len(each[1] & known) - len(each[1] ^ known) / 100)
            yield f"{name}: {sorted(known)} is no enumeration of Sources; {near} has {sorted(found)}"


def check_page(description, rows):
    def column(heading, name, such_as=lambda row: True):
        found = [table for (under, _), table in rows.items() if under == heading and name in table[0]]
        return {row[name].strip("`") for table in found for row in table if row[name].startswith("`") and such_as(row)}

    page = [
        ("reason", "DenialReason", column("A transaction's outcome", "reason")),
        ("outcome", "Outcome", column("A transaction's outcome", "outcome")),
        ("remedy", "Remedy", column("remedy", "remedy")),
        ("reason", "RejectionReason", column("A rejected receipt's reason", "reason")),
        ("status", "ReceiptStatus", column("A receipt's status", "status")),
    ]
    for what, schema, told in page:
        yield from differences(what, values(description, schema), told - OF_BUNDLES, (f"the schema {schema}", ERRORS))


def main():
    description = descriptions.Description(descriptions.SOURCE)
    sources, rows = list(swift_files()), tables((descriptions.ROOT / ERRORS).read_text(encoding="utf-8"))
    mistakes = [*check_codes(description, sources, rows), *check_enumerations(description, sources),
                *check_page(description, rows)]
    print("\n".join(mistakes) if mistakes else f"words: {len(values(description, 'Code'))} codes, "
          f"{len(ENUMERATIONS)} enumerations: the same in the description, the sources and the errors page")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
