"""Reads a Compose file as an engine would, and finds what it would stumble over."""

import re
from pathlib import Path

import yaml

import dockerfile
from failure import Failure

# ${NAME}, ${NAME:?why}, ${NAME:-instead}, and $$, which is a plain one.
REFERENCE = re.compile(r"\$(?:\$|\{(\w+)(?::([?-])([^}]*))?\})")
SETTING = re.compile(r"QUARTERMASTER_[A-Z0-9_]+")
# What the operator brings.
BROUGHT = "./var/tls"
TEMPLATES = "/etc/nginx/templates/"


def load(path, variables):
    """The services by their names, those made of the Dockerfile with its environment and health check."""
    services = filled(yaml.safe_load(Path(path).read_text()), variables)["services"]
    stage = dockerfile.stages(Path("Dockerfile").read_text())[-1]
    for service in services.values():
        if service.get("build") == ".":
            service["environment"] = {**stage.environment, **service["environment"]}
            service.setdefault("healthcheck", {"test": ["CMD", *stage.health]})
    return services


def filled(value, variables):
    if isinstance(value, dict):
        return {name: filled(each, variables) for name, each in value.items()}
    if isinstance(value, list):
        return [filled(each, variables) for each in value]
    return REFERENCE.sub(lambda match: named(match, variables), value) if isinstance(value, str) else value


def named(match, variables):
    name, kind, text = match.groups()
    if name is None:
        return "$"
    if name in variables:
        return variables[name]
    if kind != "-":
        raise Failure(f"nothing says what {name} is")
    return text


def needed(path):
    """The variables without which an engine refuses the file."""
    return {match[1] for match in REFERENCE.finditer(Path(path).read_text()) if match[2] == "?"}


def check(path, services):
    """What is wrong with the file, as far as can be seen without running it."""
    text, settings = Path(path).read_text(), set(SETTING.findall("".join(
        Path("docs/operate", page).read_text() for page in ("settings.md", "limits.md"))))
    introduction = text[:text.index("\nservices:")]
    untold = [name for name in needed(path) if name not in re.sub(r"(?m)^[^#].*", "", introduction)]
    wrong = [f"{name} is not explained" for name in untold]
    for name, service in services.items():
        environment = service.get("environment", {})
        wrong += [f"{name}: no server reads {each}" for each in environment
                  if each.startswith("QUARTERMASTER_") and each not in settings]
        wrong += [f"{name}: {reason}" for reason in [*mistaken_mounts(service), *mistaken_order(service, services)]]
        proxies = environment.get("QUARTERMASTER_TRUSTED_PROXIES", address(services["front"]))
        if proxies != address(services["front"]):
            wrong.append(f"{name}: it trusts {proxies}, and nginx is {address(services['front'])}")
    if wrong:
        raise Failure(f"{path}: " + "; ".join(wrong))


def mistaken_mounts(service):
    for mount in service.get("volumes", []):
        source, target = mount.split(":")[:2]
        if not source.startswith("./") or source == BROUGHT:
            continue
        if not Path(source).exists():
            yield f"there is no {source}"
        elif target.startswith(TEMPLATES):
            asked, given = set(re.findall(r"\$\{(\w+)\}", Path(source).read_text())), set(service["environment"])
            if asked != given:
                yield f"{source} has {sorted(asked - given)} that nobody fills in, and lacks {sorted(given - asked)}"


def mistaken_order(service, services):
    waits = service.get("depends_on", {})
    for name, wait in waits.items():
        if name not in services:
            yield f"it waits for {name}, which is not there"
        elif wait["condition"] == "service_healthy" and "test" not in services[name].get("healthcheck", {}):
            yield f"it waits until {name} is healthy, and nobody looks"


def address(service, network="inside"):
    """Of its own in the network; empty where the engine chooses one."""
    networks = service.get("networks")
    return (networks.get(network) or {}).get("ipv4_address", "") if isinstance(networks, dict) else ""
