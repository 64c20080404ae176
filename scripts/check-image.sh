#!/usr/bin/env bash
# Takes the steps of the Dockerfile without a container engine: builds the program by its command, makes the Debian of its
# last stage, runs what it runs there, and plays the demo against the program inside, as its user. Needs root, for chroot.
# QUARTERMASTER_BINARY names a program that was built by the Dockerfile's command already.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

((EUID == 0)) || fail 'chroot needs root: sudo make check-image'
install_commands python3 mmdebstrap objdump:binutils systemd-analyze:systemd curl jq
# Mounts that are made here are gone when it ends.
PYTHONPATH=scripts/bench exec unshare --mount python3 -B scripts/check_image.py
