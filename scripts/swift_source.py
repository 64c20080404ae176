"""Reads the declarations of a Swift file without the compiler.

`masked` blanks comments, the text of strings, and sentences that are names (func `Sends "{" and //`), so that braces and
names can be looked for. `declarations` walks what is left: one Declaration for each import, type, extension, function,
property, case and so on, with its members.
"""

import re
from dataclasses import dataclass, field

TYPE_KINDS = ("struct", "class", "enum", "actor", "protocol")
KINDS = TYPE_KINDS + (
    "extension", "func", "init", "deinit", "subscript", "let", "var", "case", "typealias", "associatedtype", "import",
    "macro", "operator", "precedencegroup")
ACCESS = ("open", "public", "package", "internal", "fileprivate", "private")
MODIFIERS = ACCESS + (
    "final", "static", "lazy", "weak", "unowned", "mutating", "nonmutating", "override", "required", "convenience",
    "indirect", "nonisolated", "isolated", "dynamic", "infix", "prefix", "postfix", "borrowing", "consuming",
    "distributed")
TOKEN = re.compile(r"`[^`]+`|#?\w+|->|[^\s\w]")
REGEX = re.compile(r"/(?! )(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\])+/")
OPENING = {"{": "}", "(": ")", "[": "]"}
CLOSING = set(OPENING.values())
# A line that begins or ends with one of these goes on with the line before or after.
GOES_ON_AFTER = tuple("=,:+-*/&|<(.") + ("->", " ?")
BEGINS_AS_CONTINUATION = re.compile(r"[.?:=&|+\-*/<>,]|\{|where\b|throws\b|async\b|else\b|as\b|is\b")


@dataclass
class Declaration:
    kind: str
    name: str
    access: str | None
    modifiers: list
    # Offsets: of the first attribute or modifier, of the keyword, of the opening brace (or None), past the end.
    start: int
    keyword: int
    body: int | None
    end: int
    line: int
    attributes: list
    # What stands between the name and the body: parameters, inherited types, a condition.
    signature: str = ""
    members: list = field(default_factory=list)

    @property
    def inherited(self):
        """The types after the colon, without what stands behind `where`."""
        text = re.split(r"\bwhere\b", self.signature)[0]
        depth = 0
        for index, character in enumerate(text):
            depth += (character in "<([") - (character in ">)]")
            if character == ":" and depth == 0:
                names = re.split(r"[,&]", text[index + 1:])
                return [re.sub(r"^(?:@\w+(?:\(.*?\))?\s+)*(?:any\s+)?", "", name.strip()) for name in names]
        return []


def masked(text):
    """The text with comments, strings and raw identifiers blanked; what is interpolated stays, and so does a keyword
    in backticks. As long as the text."""
    result, index = list(text), 0

    def blank(first, last):
        for position in range(first, last):
            if result[position] != "\n":
                result[position] = " "

    def begins_operand(index):
        return text[:index].rstrip()[-1:] in tuple("(,=[:")

    def string(index):
        hashes = len(re.compile("#*").match(text, index).group())
        index += hashes
        quote = '"""' if text.startswith('"""', index) else '"'
        closing, escape = quote + "#" * hashes, "\\" + "#" * hashes
        begin = index = index + len(quote)
        while index < len(text):
            if text.startswith(closing, index):
                blank(begin, index)
                return index + len(closing)
            if text.startswith(escape + "(", index):
                blank(begin, index + len(escape))
                index = begin = code(index + len(escape) + 1, ")") - 1
                index = begin = index + 1
            elif text.startswith(escape, index):
                index += len(escape) + 1
            else:
                index += 1
        raise ValueError("a string does not end")

    def code(index, until=None):
        depth = 0
        while index < len(text):
            character = text[index]
            if text.startswith("//", index):
                end = text.find("\n", index)
                end = len(text) if end < 0 else end
                blank(index, end)
                index = end
            elif text.startswith("/*", index):
                begin, level, index = index, 1, index + 2
                while level and index < len(text):
                    level += text.startswith("/*", index) - text.startswith("*/", index)
                    index += 2 if text[index:index + 2] in ("/*", "*/") else 1
                blank(begin, index)
            elif re.compile('#*"').match(text, index):
                index = string(index)
            elif character == "`":
                end = text.index("`", index + 1)
                if not re.fullmatch(r"\w+", text[index + 1:end]):
                    blank(index + 1, end)
                index = end + 1
            elif text.startswith("#/", index):
                end = text.index("/#", index + 2)
                blank(index + 2, end)
                index = end + 2
            elif character == "/" and (literal := REGEX.match(text, index)) and begins_operand(index):
                blank(index + 1, literal.end() - 1)
                index = literal.end()
            else:
                depth += (character == "(") - (character == ")")
                index += 1
                if until and depth < 0:
                    return index
        return index

    code(index)
    return "".join(result)


def closing(text, index):
    """The offset past the bracket that closes the one at `index` of a masked text."""
    depth = 0
    for position in range(index, len(text)):
        depth += (text[position] in OPENING) - (text[position] in CLOSING)
        if depth == 0:
            return position + 1
    raise ValueError(f"nothing closes the bracket at {index}")


def declarations(text, mask=None):
    """The declarations of a file, with the members of its types."""
    mask = masked(text) if mask is None else mask
    found = _scope(mask, 0, len(mask), None)
    for declaration, _ in walk(found):
        # A raw identifier, which is blank in the mask.
        if declaration.name.isspace():
            begin = text.index("`", declaration.keyword) + 1
            declaration.name = text[begin:begin + len(declaration.name)]
    return found


def walk(declared, parents=()):
    """Each declaration with those around it, from the outside."""
    for declaration in declared:
        yield declaration, parents
        yield from walk(declaration.members, parents + (declaration,))


def _scope(mask, index, end, parent):
    found = []
    while (token := TOKEN.search(mask, index, end)) is not None:
        if token.group().startswith("#"):
            # #if and its like; a freestanding macro as well.
            newline = mask.find("\n", token.start())
            index = end if newline < 0 else newline
            continue
        declaration, index = _declaration(mask, token.start(), end, parent)
        if declaration:
            found.append(declaration)
    return found


def _declaration(mask, start, end, parent):
    index, modifiers, attributes, access = start, [], [], None
    while True:
        token = TOKEN.search(mask, index, end)
        if token is None:
            return None, end
        word = token.group()
        if word == "@":
            name = TOKEN.match(mask, token.end())
            attributes.append(name.group())
            index = name.end()
            if mask[index:index + 1] == "(":
                index = closing(mask, index)
        elif word == "class" and re.compile(r"\s+(func|var|let|subscript)\b").match(mask, token.end()):
            modifiers.append(word)
            index = token.end()
        elif word in MODIFIERS:
            index = token.end()
            argument = mask[index:index + 1] == "("
            if argument:
                index = closing(mask, index)
            if word in ACCESS and not argument:
                access = word
            modifiers.append(word)
        else:
            break
    keyword = token.start()
    if word not in KINDS:
        return None, _line_end(mask, keyword, end)
    line = mask.count("\n", 0, keyword) + 1
    index = token.end()
    if word in ("init", "deinit", "subscript"):
        name = word
    else:
        name_match = re.compile(r"\s*(`[^`]+`|[\w.]+|\([^)]*\)|[^\s\w(]+)").match(mask, index, end)
        name, index = name_match.group(1).strip("`"), name_match.end()
    body, past = _body(mask, index, end, word, parent)
    declaration = Declaration(
        word, name, access, modifiers, start, keyword, body, past, line, attributes, mask[index:body or past])
    if word in TYPE_KINDS + ("extension",) and body is not None:
        declaration.members = _scope(mask, body + 1, past - 1, declaration)
    return declaration, past


def _body(mask, index, end, kind, parent):
    """The offset of the body's brace, if there is one, and the offset past the declaration."""
    has_body = kind in TYPE_KINDS + ("extension", "func", "init", "deinit", "subscript")
    if has_body and not (parent and parent.kind == "protocol"):
        brace = index
        while mask[brace] != "{":
            brace = closing(mask, brace) if mask[brace] in OPENING else brace + 1
        return brace, closing(mask, brace)
    past = _line_end(mask, index, end)
    depth = 0
    if kind in ("var", "subscript"):
        # The accessors, not a closure that is called.
        for position in range(index, past):
            if mask[position] == "{" and depth == 0 and "=" not in mask[index:position].replace("==", ""):
                return position, past
            depth += (mask[position] in "([") - (mask[position] in ")]")
    return None, past


def _line_end(mask, index, end):
    """The end of a statement: the first line end outside of brackets that nothing continues."""
    while index < end:
        character = mask[index]
        if character in OPENING:
            index = closing(mask, index)
        elif character == ";":
            return index + 1
        elif character == "\n":
            before, after = mask[:index].rstrip(" "), mask[index:end].lstrip()
            if not before.endswith(GOES_ON_AFTER) and not BEGINS_AS_CONTINUATION.match(after):
                return index
            index += 1
        else:
            index += 1
    return end
