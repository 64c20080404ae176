"""What is deployed by the files of the project: what each service may do, and that images can be pinned."""

import json
import os
import re
import shutil
import subprocess

import pytest

from conftest import ROOT

yaml = pytest.importorskip("yaml")

COMPOSE = ("compose.yaml", "compose.single.yaml")
SERVICES = [(file, name, service) for file in COMPOSE
            for name, service in yaml.safe_load((ROOT / file).read_text())["services"].items()]
PINNED = ("Dockerfile", *COMPOSE)


@pytest.mark.parametrize(("file", "name", "service"), SERVICES, ids=lambda each: each if isinstance(each, str) else "")
def test_each_service_is_confined(file, name, service):
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"] and "cap_add" not in service and "privileged" not in service
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["ulimits"]["core"] == 0
    # The image of the server has a user of its own.
    assert "build" in service or service["user"].split(":")[0] not in ("", "0", "root")


def test_systemd_keeps_no_core_dump():
    unit = (ROOT / "examples" / "systemd" / "quartermaster.service").read_text().splitlines()
    for line in ("LimitCORE=0", "NoNewPrivileges=yes", "CapabilityBoundingSet=", "ProtectSystem=strict", "UMask=0027"):
        assert unit.count(line) == 1, line


def test_a_development_container_has_the_swift_that_ci_builds_with():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    ci = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]["check"]["container"]
    # The Dockerfile may say the digest too.
    built = re.search(r"(?m)^FROM (\S+?)(?:@\S+)? AS build$", (ROOT / "Dockerfile").read_text())[1]
    assert container["image"] == ci == built


def pin(folder, answer):
    """Runs the script on copies of the files, beside a docker that gives this answer about every image."""
    (folder / "scripts").mkdir(exist_ok=True)
    for name in ("pin-images.sh", "packages.sh"):
        shutil.copy(ROOT / "scripts" / name, folder / "scripts")
    docker = folder / "bin" / "docker"
    docker.parent.mkdir(exist_ok=True)
    docker.write_text(f"#!/bin/sh\n[ \"$1 $2 $3\" = 'buildx imagetools inspect' ] || exit 2\n{answer}\n")
    docker.chmod(0o755)
    return subprocess.run([folder / "scripts" / "pin-images.sh"], capture_output=True, text=True, check=False,
                          env={**os.environ, "PATH": f"{docker.parent}:{os.environ['PATH']}"})


@pytest.fixture
def project(tmp_path):
    for name in PINNED:
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def images(folder):
    lines = "".join((folder / name).read_text() for name in PINNED).splitlines()
    return [line.split()[1] for line in lines if line.startswith("FROM ") or line.strip().startswith("image: ")]


def unpinned(file):
    return re.sub(r"@sha256:[0-9a-f]{64}", "", file.read_text())


def test_each_image_of_others_is_pinned_and_pinned_anew(project):
    bare = [each.partition("@")[0] for each in images(project)]
    assert sum(":" in each for each in bare) > 5
    for digit in "ab":
        digest = f"sha256:{digit * 64}"
        assert pin(project, f"echo {digest}").returncode == 0
        assert images(project) == [f"{each}@{digest}" if ":" in each else each for each in bare]
    for name in PINNED:
        assert unpinned(project / name) == unpinned(ROOT / name), "nothing else was changed"


@pytest.mark.parametrize("answer", ["exit 1", "echo", "echo latest", f"echo sha256:{'A' * 64}",
                                    f"case $* in *nginx*) exit 1;; esac; echo sha256:{'a' * 64}"])
def test_without_a_digest_of_each_nothing_is_written(project, answer):
    said = pin(project, answer)
    assert said.returncode == 1 and said.stderr.startswith("pin-images: ")
    assert [(project / name).read_text() for name in PINNED] == [(ROOT / name).read_text() for name in PINNED]
