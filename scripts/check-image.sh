#!/usr/bin/env bash
# Takes the steps of the Dockerfile without a container engine: builds the program by its command, makes the Debian of its
# last stage, runs what it runs there, and plays the demo against the program inside, as its user. Needs root, for chroot.
# QUARTERMASTER_BINARY names a program that was built by the Dockerfile's command already.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'check-image: %s\n' "$1" >&2
    exit 1
}

# Each is a command and the Debian package that brings it.
lacking_tools() {
    local tool
    command -v python3 >/dev/null || echo python3
    command -v mmdebstrap >/dev/null || echo mmdebstrap
    command -v objdump >/dev/null || echo binutils
    command -v systemd-analyze >/dev/null || echo systemd
    for tool in curl jq; do command -v "$tool" >/dev/null || echo "$tool"; done
}

install_tools() {
    local lacking
    mapfile -t lacking < <(lacking_tools)
    if ((${#lacking[@]} == 0)); then return; fi
    command -v apt-get >/dev/null || fail "missing: ${lacking[*]}. Install them, then try again"
    echo "check-image: installing ${lacking[*]}" >&2
    apt-get update -qq >&2 || fail "apt-get update failed; missing: ${lacking[*]}"
    env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${lacking[@]}" >&2 ||
        fail "apt-get could not install: ${lacking[*]}"
}

((EUID == 0)) || fail 'chroot needs root: sudo make check-image'
install_tools
# Mounts that are made here are gone when it ends.
exec unshare --mount python3 -B scripts/check_image.py
