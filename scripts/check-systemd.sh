#!/usr/bin/env bash
# Boots a Debian in a container, with systemd, PostgreSQL and a mail server, installs there what docs/operate/install.md
# says, and plays the starts, stops, timers and failures of the units in examples/systemd. What boots empties /tmp, and
# stops what it finds: so nothing is booted where a container would see something of this machine. Ends with 1 if a unit
# does not do what the page says. QUARTERMASTER_BINARY names a server that is built already. Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/containers/engine.sh
source scripts/containers/engine.sh

readonly image=check-systemd checkout=root/checkout
binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-.build/release/quartermaster}")
[[ -x $binary ]] || fail "no server at $binary; build it with: make build"

# The libraries that the last stage of the Dockerfile installs for the program.
libraries() { sed '1,/^FROM debian/d' Dockerfile | grep --max-count=1 libpq | sed 's/ *\\$//' | xargs | tr ' ' ,; }

# install_checkout ROOT: what an operator has there, and libraries of the program that are no package's.
install_checkout() {
    local library
    mkdir -p "$1/$checkout/.build/release"
    cp "$binary" "$1/$checkout/.build/release/quartermaster"
    cp -r products.json content examples "$1/$checkout/"
    for library in $(ldd "$binary" | awk '$3 ~ "^/" && $3 !~ "^/(usr/)?lib" { print $3 }'); do
        cp "$library" "$1/usr/local/lib/"
    done
    ldconfig -r "$1"
}

# In this script's own namespace: with the cgroups of version 2 a container sees none but its own.
mount -t cgroup2 cgroup2 /sys/fs/cgroup || fail 'this kernel has no cgroups of version 2 for a container'
install_commands python3
import_debian "$image" bookworm --include="systemd-sysv,sudo,postgresql,postfix,$(libraries)"
# systemd mounts, and looks into its services' processes. Without controllers, which version 1 may have, is no limit.
options=(--network=none --systemd=always --cap-add=SYS_ADMIN --cap-add=SYS_PTRACE --pids-limit=-1)
podman create --name machine "${options[@]}" "$image" /sbin/init >/dev/null
install_checkout "$(podman mount machine)"
podman umount machine >/dev/null
PYTHONPATH=scripts/bench:scripts/docs:scripts/systemd \
    python3 -B scripts/systemd/check_systemd.py machine "/$checkout" -- "${options[@]}" "$image"
podman rm --all --force --volumes >/dev/null
