#!/usr/bin/env bash
# Has the client, as Hangman uses it, download through a network that lies and breaks, and kills it: no file is ever wrong,
# no version ever half there, no credit ever spent twice. Ends with 1 where it is not so.
#   QUARTERMASTER_BINARY and HANGMAN_BINARY name programs that are built already; DOWNLOADS (300), SPENDS (100) and
#   HUGE_MIB (256) say how much.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/../server.sh"

[[ -x $game ]] || fail "no game at $game; build it with: swift build -c release --product hangman"
install_commands python3 setpriv:util-linux
NO_PROXY='*' PYTHONPATH=scripts/bench:scripts/client exec python3 -B scripts/client/check_client.py --binary "$binary" \
    --game "$game" --downloads "${DOWNLOADS:-300}" --spends "${SPENDS:-100}" --huge "${HUGE_MIB:-256}"
