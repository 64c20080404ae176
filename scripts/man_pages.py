#!/usr/bin/env python3
"""Makes a man page of each command from the program's help.

    scripts/man_pages.py quartermaster FOLDER

Writes FOLDER/man1/quartermaster.1, quartermaster-serve.1, quartermaster-products-list.1 and so on: `man -M FOLDER
quartermaster-products-list` shows one.
"""

import json
import pathlib
import subprocess
import sys

HELP = "help"


def text(words):
    """The words in roff: nothing in them is a request, and a hyphen stays the character that people copy."""
    lines = words.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def bold(words):
    return f"\\fB{text(words)}\\fR"


def italic(words):
    return f"\\fI{text(words)}\\fR"


def page_name(path):
    return "-".join(path)


def option_name(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def usage(argument):
    """An argument as a synopsis has it, such as [--limit <limit>]."""
    value = italic(f"<{argument['valueName']}>")
    if argument["kind"] == "positional":
        form = value
    else:
        form = bold(option_name(argument["preferredName"]))
        if argument["kind"] == "option":
            form += f" {value}"
    if argument["isRepeating"]:
        form += " ..."
    return f"[{form}]" if argument["isOptional"] else form


def title(argument):
    """An argument as a list of them has it, such as -q, --quiet."""
    value = italic(f"<{argument['valueName']}>")
    if argument["kind"] == "positional":
        return value
    names = sorted((option_name(name) for name in argument["names"]), key=len)
    return ", ".join(map(bold, names)) + (f" {value}" if argument["kind"] == "option" else "")


def explanation(argument):
    """What the help says of an argument, on one line; empty for a flag that only inverts the one before it."""
    notes = []
    if "allValues" in argument:
        notes.append("values: " + ", ".join(argument["allValues"]))
    if "defaultValue" in argument:
        notes.append("default: " + argument["defaultValue"])
    words = [argument.get("abstract", ""), argument.get("discussion", ""), f"({'; '.join(notes)})" if notes else ""]
    return " ".join(filter(None, words))


def entries(arguments):
    """The tagged paragraphs of arguments."""
    found = []
    for argument in arguments:
        words = explanation(argument)
        if words or not found:
            found.append(([title(argument)], words))
        else:
            found[-1][0].append(title(argument))
    return [".TP\n" + "\n.TQ\n".join(titles) + f"\n{text(words)}" for titles, words in found]


def examples(discussion):
    """What a discussion says, by paragraphs, and the commands that it shows as examples."""
    paragraphs, shown, is_example = [[]], [], False
    for line in discussion.split("\n"):
        if line.startswith("Example: "):
            shown.append(line.removeprefix("Example: "))
        elif is_example:
            shown[-1] += "\n" + line
        elif line:
            paragraphs[-1].append(line)
        else:
            paragraphs.append([])
        is_example = (line.startswith("Example: ") or is_example) and line.endswith("\\")
    return ["\n".join(lines) for lines in paragraphs if lines], shown


def section(heading, *parts):
    """A section; empty without parts."""
    return [f".SH {heading}", *parts] if parts else []


def page(path, command, version):
    """The page of one command."""
    name, arguments = page_name(path), command.get("arguments", [])
    shown = [each for each in arguments if each["shouldDisplay"]]
    settings = [each for each in arguments if not each["shouldDisplay"]]
    subcommands = [each for each in command.get("subcommands", []) if each["commandName"] != HELP]
    # The version and the help are the same everywhere, and in no command's synopsis.
    synopsis = [usage(each) for each in shown if each["valueName"] not in ("version", "help") or each["kind"] != "flag"]
    told, commands = examples(command.get("discussion", ""))
    others = [page_name(path[:-1])] if path[:-1] else []
    others += [page_name(path + [each["commandName"]]) for each in subcommands]
    abstract = command.get("abstract", "")
    lines = [
        f'.TH "{text(name.upper())}" 1 "" "{text(f"quartermaster {version}")}" "Quartermaster"',
        ".nh",
        ".ad l",
        *section("NAME", f"{text(name)} \\- {text(abstract.rstrip('.'))}"),
        *section("SYNOPSIS", " ".join([bold(" ".join(path)), *(["<command>"] if subcommands else []), *synopsis])),
        *section("DESCRIPTION", *[f".PP\n{text(each)}" for each in [abstract, *told]]),
        *section("COMMANDS", *[
            f".TP\n{bold(page_name(path + [each['commandName']]))}(1)\n{text(each.get('abstract', ''))}"
            for each in subcommands]),
        *section("OPTIONS", *entries(shown)),
        *section("SETTINGS", *([f"Those of {bold('quartermaster-serve')}(1), by flag, environment or file. Flags here "
                                "are, besides \\-\\-config:"] if settings else []), *entries(settings)),
        *section("EXAMPLES", *[f".PP\n.nf\n{text(each)}\n.fi" for each in commands]),
        *section("SEE ALSO", *([", ".join(f"{bold(each)}(1)" for each in others)] if others else [])),
    ]
    return "\n".join(lines) + "\n"


def pages(command, version, path=()):
    """The pages of a command and of those below it, by the names of their files."""
    path = [*path, command["commandName"]]
    found = {f"{page_name(path)}.1": page(path, command, version)}
    for each in command.get("subcommands", []):
        if each["commandName"] != HELP:
            found |= pages(each, version, path)
    return found


def main(program, folder):
    def output(flag):
        return subprocess.run([program, flag], check=True, stdout=subprocess.PIPE, text=True).stdout

    target = pathlib.Path(folder) / "man1"
    target.mkdir(parents=True, exist_ok=True)
    found = pages(json.loads(output("--experimental-dump-help"))["command"], output("--version").strip())
    for name, content in found.items():
        (target / name).write_text(content, encoding="utf-8")
    print(f"{len(found)} pages in {target}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
