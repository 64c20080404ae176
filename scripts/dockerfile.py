"""Reads as much of a Dockerfile as ours uses; anything else is a failure, so that nothing is passed over in silence."""

import json
import re
import shlex
from dataclasses import dataclass, field

# What is no step in the making of the image.
SETTINGS = ("VOLUME", "EXPOSE", "STOPSIGNAL")


class DockerfileError(Exception):
    pass


@dataclass
class Stage:
    base: str
    name: str | None = None
    # ("RUN", command) or ("COPY", from, owner, source, target), in order.
    steps: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    user: str = "root"
    folder: str = "/"
    health: list | None = None
    entrypoint: list = field(default_factory=list)
    command: list = field(default_factory=list)


def stages(text):
    found = []
    # Lines that go on, then comments and empty ones.
    for line in re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines():
        if not line.strip():
            continue
        word, _, rest = line.partition(" ")
        if word == "FROM":
            base, *alias = rest.split()
            found.append(Stage(base, alias[1] if alias else None))
        elif not found:
            raise DockerfileError(f"{word} before FROM")
        else:
            add(found[-1], word, rest.strip())
    return found


def add(stage, word, rest):
    if word == "RUN":
        stage.steps.append(("RUN", rest))
    elif word == "COPY":
        stage.steps.append(("COPY", *copy(rest)))
    elif word == "ENV":
        name, _, value = rest.partition("=")
        stage.environment[name] = value
    elif word == "USER":
        stage.user = rest
    elif word == "WORKDIR":
        stage.folder = rest
    elif word == "HEALTHCHECK":
        stage.health = json.loads(rest[rest.index("CMD ") + 4:])
    elif word == "ENTRYPOINT":
        stage.entrypoint = json.loads(rest)
    elif word == "CMD":
        stage.command = json.loads(rest)
    elif word not in SETTINGS:
        raise DockerfileError(f"{word} is not known here")


def copy(rest):
    options = {"from": None, "chown": None}
    words = shlex.split(rest)
    while words[0].startswith("--"):
        name, _, value = words.pop(0)[2:].partition("=")
        if name not in options:
            raise DockerfileError(f"COPY --{name} is not known here")
        options[name] = value
    if len(words) != 2:
        raise DockerfileError(f"COPY {rest}: one source and one target, please")
    return options["from"], options["chown"], *words
