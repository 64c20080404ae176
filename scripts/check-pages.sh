#!/usr/bin/env bash
# Plays the commands of README.md, docs/app and docs/operate against fresh servers, and looks up what pages refer to.
# Ends with 1 where a command fails, prints something else than the page says, or a reference leads nowhere. Arguments are
# pages, to play these alone.
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../.build/release/quartermaster}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
cd "$(dirname "$0")/.."

readonly binary

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
install_commands python3 openssl
python3 -B scripts/docs/references.py
PYTHONPATH=scripts/bench exec python3 -B scripts/docs/play.py --binary "$binary" "$@"
