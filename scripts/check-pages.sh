#!/usr/bin/env bash
# Plays the commands of README.md, docs/app and docs/operate against fresh servers, and looks up what pages refer to.
# Ends with 1 where a command fails, prints something else than the page says, or a reference leads nowhere. Arguments are
# pages, to play these alone.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

unset QUARTERMASTER_CONFIG # The pages are played where the settings are those of their own server.
install_commands python3 openssl
python3 -B scripts/docs/references.py
PYTHONPATH=scripts/bench exec python3 -B scripts/docs/play.py --binary "$binary" "$@"
