#!/usr/bin/env bash
# Has the client, as Hangman uses it, download through a network that lies and breaks, and kills it: no file is ever wrong,
# no version ever half there, no credit ever spent twice. Ends with 1 where it is not so.
#   QUARTERMASTER_BINARY and HANGMAN_BINARY name programs that are built already; DOWNLOADS (300), SPENDS (100) and
#   HUGE_MIB (256) say how much.
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../../.build/release/quartermaster}")
game=$(realpath -m -- "${HANGMAN_BINARY:-$(dirname "$0")/../../.build/release/hangman}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
cd "$(dirname "$0")/../.."

readonly binary game task=check-client

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
[[ -x $game ]] || fail "no game at $game; build it with: swift build -c release --product hangman"
install_commands python3 setpriv:util-linux
NO_PROXY='*' PYTHONPATH=scripts/bench:scripts/client exec python3 -B scripts/client/check_client.py --binary "$binary" \
    --game "$game" --downloads "${DOWNLOADS:-300}" --spends "${SPENDS:-100}" --huge "${HUGE_MIB:-256}"
