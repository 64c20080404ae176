# shellcheck shell=bash disable=SC2034 # Not every script plays the game.
# For scripts that try the server: sets binary and game, which QUARTERMASTER_BINARY and HANGMAN_BINARY name where they
# are built already, goes to the checkout, and keeps the settings of the operator's own server away from what it starts.

checkout=$(realpath -- "$(dirname "${BASH_SOURCE[0]}")/..")
binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$checkout/.build/release/quartermaster}")
game=$(realpath -m -- "${HANGMAN_BINARY:-$checkout/.build/release/hangman}")
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
cd "$checkout" || exit
readonly checkout binary game

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
