#!/usr/bin/env bash
# Plays Hangman in a terminal as a person would, against a fresh server and a simulated App Store, and looks at the screen
# after each step. Ends with 1 where it does not show what it must. With --pages the screens on the pages are written anew.
#   QUARTERMASTER_BINARY and HANGMAN_BINARY name programs that are built already.
set -euo pipefail

server=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../.build/release/quartermaster}")
game=$(realpath -m -- "${HANGMAN_BINARY:-$(dirname "$0")/../.build/release/hangman}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG=
cd "$(dirname "$0")/.."

readonly server game

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

[[ -x $server ]] || fail "no server at $server; build it with: make build"
[[ -x $game ]] || fail "no game at $game; build it with: make build-hangman"
install_commands python3 tmux pgrep:procps setpriv:util-linux
PYTHONPATH=scripts/bench exec python3 -B scripts/hangman/play.py --server "$server" --game "$game" "$@"
