"""What is deployed by the files of the project: what each service may do, and that images can be pinned."""

import json
import os
import re
import shlex
import shutil
import subprocess

import pytest

from conftest import ROOT

yaml = pytest.importorskip("yaml")

UNITS = ROOT / "examples" / "systemd"
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


def test_nobody_outside_reaches_a_server_but_by_nginx():
    for file, name, service in SERVICES:
        for port in service.get("ports", ()):
            assert name == "front" and port in ("0.0.0.0:80:80", "0.0.0.0:443:443") or port == "127.0.0.1:8081:8081"


@pytest.mark.parametrize(("file", "example"), [("compose.single.yaml", "quartermaster.conf"),
                                               ("compose.yaml", "replicas.conf")])
def test_nginx_is_told_every_name_that_its_file_has(file, example):
    services = yaml.safe_load((ROOT / file).read_text())["services"]
    names = set(re.findall(r"\$\{([A-Z0-9_]+)\}", (ROOT / "examples" / "nginx" / example).read_text()))
    assert names == set(services["front"]["environment"])
    folders = [volume.split(":")[1] for volume in services["front"]["volumes"]]
    for used in ("/etc/nginx/tls", "/var/www/acme"):
        assert used in folders


def test_systemd_keeps_no_core_dump():
    unit = (UNITS / "quartermaster.service").read_text().splitlines()
    for line in ("LimitCORE=0", "NoNewPrivileges=yes", "CapabilityBoundingSet=", "ProtectSystem=strict", "UMask=0027"):
        assert unit.count(line) == 1, line


def test_a_development_container_has_the_swift_that_ci_builds_with():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    ci = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]["check"]["container"]
    # The Dockerfile may say the digest too.
    built = re.search(r"(?m)^FROM (\S+?)(?:@\S+)? AS build$", (ROOT / "Dockerfile").read_text())[1]
    assert container["image"] == ci == built


def test_systemd_starts_it_until_it_serves():
    unit = (UNITS / "quartermaster.service").read_text().splitlines()
    for line in ("Type=notify", "Restart=on-failure", "RestartSec=5", "StartLimitIntervalSec=0"):
        assert unit.count(line) == 1, line
    # It belongs to the unit: among the settings of the service systemd does not know it.
    assert unit.index("StartLimitIntervalSec=0") < unit.index("[Service]")


def test_no_unit_has_a_mistake(tmp_path):
    if not (analyze := shutil.which("systemd-analyze")):
        pytest.skip("needs systemd-analyze, of the package systemd")
    for unit in UNITS.glob("quartermaster*"):
        # The program is where it is installed on other machines only.
        (tmp_path / unit.name).write_text(unit.read_text().replace("/usr/local/bin/quartermaster", "/bin/true"))
    command = [analyze, "verify", "--man=no", *tmp_path.iterdir()]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout + said.stderr) == (0, "")


@pytest.fixture
def backup(tmp_path):
    """The unit's two commands as systemd passes them to the shell, with a folder and a program of the test's own."""
    def run(program):
        (tmp_path / "quartermaster").write_text(f"#!/bin/sh\n{program}\n")
        (tmp_path / "quartermaster").chmod(0o755)
        lines = (UNITS / "quartermaster-backup.service").read_text().splitlines()
        for name in ("ExecStart=", "ExecStartPost="):
            words = shlex.split(next(line for line in lines if line.startswith(name)).removeprefix(name))
            words[-1] = words[-1].replace("%%", "%").replace("/usr/local/bin", str(tmp_path))
            done = subprocess.run(words, env={**os.environ, "BACKUPS": str(tmp_path / "backups")}, check=False)
            # systemd runs the second one only after the first.
            if done.returncode != 0:
                break
        return sorted(path.name for path in (tmp_path / "backups").iterdir())
    (tmp_path / "backups").mkdir()
    return run


OLD = [f"ledger-20200101T0000{number:02}Z.sqlite" for number in range(20)]


def test_old_backups_go_when_there_is_a_new_one(backup, tmp_path):
    for name in [*OLD, "notes.txt"]:
        (tmp_path / "backups" / name).touch()
    # The words that the program is called with, and the file that it makes.
    left = backup('[ "$1 $2 $3" = "ledger backup --quiet" ] && touch "$4"')
    assert left[:-2] == OLD[-13:] and left[-1] == "notes.txt"
    assert re.fullmatch(r"ledger-2\d{7}T\d{6}Z\.sqlite", left[-2]) and left[-2] not in OLD


def test_no_backup_goes_when_there_is_no_new_one(backup, tmp_path):
    for name in OLD:
        (tmp_path / "backups" / name).touch()
    assert backup("exit 1") == OLD


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
