"""The image that the Dockerfile makes, made without a container engine and tried. scripts/check-image.sh starts it."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import dockerfile
from process import free_ports

PROGRAM = "/usr/local/bin/quartermaster"
UNIT = Path("examples/systemd/quartermaster.service")
READY_WITHIN = STOP_WITHIN = 30  # seconds
# What a program of a Debian needs to see of the machine.
MACHINE_FILES = ("/etc/resolv.conf", "/etc/hosts")
MOST_EXPOSURE = 2.0  # of 10, as systemd-analyze counts


class Failure(Exception):
    pass


def run(*command, **options):
    result = subprocess.run(command, **options)
    if result.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))[:200]} ended with {result.returncode}")
    return result


def said(*command):
    return run(*command, stdout=subprocess.PIPE, text=True).stdout


class Image:
    def __init__(self, stage, root):
        self.stage, self.root = stage, root

    def inside(self, *command, user="root", folder="/"):
        """What runs the command in the image as its user, with its environment and nothing else."""
        variables = [f"{name}={value}" for name, value in self.stage.environment.items()]
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        enter = ["chroot", f"--userspec={user}:{user}", "--groups=", self.root]
        return [*enter, "env", "-i", f"--chdir={folder}", path, *variables, *command]

    def as_user(self, *command):
        return self.inside(*command, user=self.stage.user, folder=self.stage.folder)

    def make(self, program):
        release = re.fullmatch(r"debian:(\w+)-slim", self.stage.base)
        if not release:
            raise Failure(f"{self.stage.base} is no debian:…-slim")
        run("mmdebstrap", "--quiet", "--variant=minbase", release[1], self.root)
        for file in MACHINE_FILES:
            shutil.copy(file, f"{self.root}{file}")
        run("mount", "-t", "proc", "proc", f"{self.root}/proc")
        for kind, *step in self.stage.steps:
            if kind == "RUN":
                run(*self.inside("DEBIAN_FRONTEND=noninteractive", "sh", "-c", step[0]), stdout=subprocess.DEVNULL)
            else:
                self.copy(program, *step)

    def copy(self, program, origin, owner, source, target):
        place = f"{self.root}{target}"
        shutil.copytree(source, place) if Path(source).is_dir() else shutil.copy(program if origin else source, place)
        if owner:
            run(*self.inside("chown", "-R", owner, target))


def built(stage):
    """The program, by the Dockerfile's own command."""
    [command] = [step[1] for step in stage.steps if step[0] == "RUN" and step[1].startswith("scripts/build.sh")]
    run("scripts/setup.sh")
    run(*command.split())
    return Path(".build/release/quartermaster").resolve()


def check_libraries(image):
    """Every library is there, and each but Debian's own is of a package that the Dockerfile names."""
    missing = [line.strip() for line in said(*image.inside("ldd", PROGRAM)).splitlines() if "not found" in line]
    if missing:
        raise Failure(f"the image lacks {missing}")
    if "libswift" in said(*image.inside("ldd", PROGRAM)):
        raise Failure("Swift's libraries are not linked into the program")
    packages = next(step[1] for step in image.stage.steps if step[0] == "RUN")
    needed = re.findall(r"NEEDED\s+(\S+)", said("objdump", "-p", f"{image.root}{PROGRAM}"))
    for library in needed:
        owner = said(*image.inside("sh", "-c", f"dpkg-query -S '*/{library}' | head -n 1")).partition(":")[0]
        if owner != "libc6" and owner != "libgcc-s1" and owner not in packages:
            raise Failure(f"{library} is of {owner}, which the Dockerfile does not name")
    print(f"check-image: it needs {' '.join(needed)}")


def check_start(image):
    """As an engine would start it, until its health check is content."""
    server = subprocess.Popen(image.as_user(*image.stage.entrypoint, *image.stage.command))
    try:
        deadline = time.monotonic() + READY_WITHIN
        while subprocess.run(image.as_user(*image.stage.health), stderr=subprocess.DEVNULL).returncode != 0:
            if server.poll() is not None or time.monotonic() > deadline:
                raise Failure("it does not become healthy")
            time.sleep(0.2)
        status = Path(f"/proc/{server.pid}/status").read_text()
        if re.search(r"^Uid:\s+0\b|^CapEff:\s+0*[1-9a-f]", status, re.M):
            raise Failure("it runs as root")
    finally:
        server.terminate()
        if server.wait(STOP_WITHIN) != 0:
            raise Failure(f"it ended with {server.returncode}")
    modes = said(*image.inside("stat", "--format", "%a %U %n", "/var/lib/quartermaster/ledger.sqlite"))
    if not modes.startswith("600 quartermaster "):
        raise Failure(f"the ledger is {modes}")


def check_completion(image):
    """An interactive shell, as `docker exec` starts it, completes the program's commands."""
    asked = "_completion_loader quartermaster; complete -p quartermaster"
    shell = subprocess.run(
        image.as_user("bash", "-i", "-c", asked), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if shell.returncode != 0 or not shell.stdout.rstrip().endswith(" quartermaster"):
        raise Failure(f"a shell in the image does not complete the commands: {shell.stdout}{shell.stderr}")


def play_demo(image):
    """The demo's server is a script that enters the image; the demo's folder is seen there too."""
    script = Path(image.root).parent / "quartermaster"
    enter, user = " ".join(image.as_user(PROGRAM)), said(*image.inside("id", "-u", image.stage.user)).strip()
    script.write_text(
        "#!/usr/bin/env bash\nset -e\n"
        f'folder=$(dirname -- "$(sed -n "s/.*--database \\([^ ]*\\).*/\\1/p" <<<"$*")")\n'
        f'chown -R {user}:{user} "$folder"\n'
        # Once: a folder that is mounted upon cannot be deleted.
        f'mkdir -p "{image.root}$folder"\n'
        f'mountpoint --quiet "{image.root}$folder" || mount --bind "$folder" "{image.root}$folder"\n'
        f'exec {enter} "$@"\n')
    script.chmod(0o755)
    run("scripts/demo.sh", env={**os.environ, "QUARTERMASTER_BINARY": str(script), "TMPDIR": "/tmp"})


def check_unit(image):
    """The unit of systemd beside the program: no mistake in it, and little that it may do."""
    target = Path(f"{image.root}/etc/systemd/system") / UNIT.name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(UNIT, target)
    # systemd's own, which is not in the image.
    for name in ("basic", "multi-user", "network-online", "shutdown", "sysinit"):
        (target.parent / f"{name}.target").write_text("[Unit]\nDescription=A target\nDefaultDependencies=no\n")
    complaints = run(
        "systemd-analyze", f"--root={image.root}", "--man=no", "verify", str(target).removeprefix(image.root),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    if UNIT.name in complaints:
        raise Failure(f"systemd-analyze verify: {complaints}")
    print(said(
        "systemd-analyze", "--no-pager", "--offline=true", f"--threshold={MOST_EXPOSURE * 10:.0f}", "security",
        f"{UNIT}").splitlines()[-1])


def remove(folder):
    """Never what is mounted below it."""
    mounts = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
    for mount in reversed([mount for mount in mounts if mount.startswith(f"{folder}/")]):
        subprocess.run(["umount", "--lazy", mount])
    run("rm", "-rf", "--one-file-system", folder)


def main():
    build, final = dockerfile.stages(Path("Dockerfile").read_text())
    binary = os.environ.get("QUARTERMASTER_BINARY")
    program = Path(binary).resolve() if binary else built(build)
    for name in [name for name in os.environ if name.startswith("QUARTERMASTER_")]:
        del os.environ[name]  # A setting of the operator's own server must not reach this one.
    folder = tempfile.mkdtemp(prefix="quartermaster-image.")
    Path(folder).chmod(0o755)
    image = Image(final, f"{folder}/root")
    image.stage.environment["QUARTERMASTER_PORT"] = str(free_ports(1)[0])  # Here others may listen on the image's own.
    try:
        image.make(program)
        check_libraries(image)
        check_start(image)
        check_completion(image)
        play_demo(image)
        check_unit(image)
    finally:
        remove(folder)
    print("check-image: the image serves, as its user, and the unit is sound")


try:
    main()
except (Failure, dockerfile.DockerfileError, OSError) as error:
    sys.exit(f"check-image: {error}")
