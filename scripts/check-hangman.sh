#!/usr/bin/env bash
# Plays Hangman in a terminal as a person would, against a fresh server and a simulated App Store, and looks at the screen
# after each step. Ends with 1 where it does not show what it must. With --pages the screens on the pages are written anew.
#   QUARTERMASTER_BINARY and HANGMAN_BINARY name programs that are built already.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

[[ -x $game ]] || fail "no game at $game; build it with: make build-hangman"
install_commands python3 tmux pgrep:procps setpriv:util-linux
PYTHONPATH=scripts/bench exec python3 -B scripts/hangman/play.py --server "$binary" --game "$game" "$@"
