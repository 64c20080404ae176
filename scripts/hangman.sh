#!/usr/bin/env bash
# Plays Hangman in the terminal against a server with a simulated App Store. Where none answers, they are started, with
# the game's own products and content, and stopped when the game ends. What is given is passed on to the game.
#   QUARTERMASTER_BINARY and HANGMAN_BINARY name programs that are built already; QUARTERMASTER_PORT (8080) and
#   QUARTERMASTER_SIMULATOR_PORT (8090) say where a server is looked for; HANGMAN_FOLDER (var/hangman) has what the
#   server and the game that are started here keep.
set -euo pipefail

server_binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../.build/release/quartermaster}")
binary=$(realpath -m -- "${HANGMAN_BINARY:-$(dirname "$0")/../.build/release/hangman}")
port=${QUARTERMASTER_PORT:-8080} store_port=${QUARTERMASTER_SIMULATOR_PORT:-8090}
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG=
cd "$(dirname "$0")/.."

readonly server_binary binary
readonly folder=${HANGMAN_FOLDER:-$PWD/var/hangman}
readonly log=$folder/log
# What a terminal needs that a killed game has left: its first screen, the cursor, pasted text as it is, no colours.
readonly first_screen='\e[?2026l\e[?2004l\e[0m\e[?25h\e[?1049l'
server='' terminal='' home=()

# shellcheck source=scripts/packages.sh
source scripts/packages.sh
# shellcheck source=scripts/serving.sh
source scripts/serving.sh

has_shop() { answers "http://127.0.0.1:$port/v1/apps/com.example.hangman/products"; }

has_store() { answers "http://127.0.0.1:$store_port/simulator/v1/root.cer"; }

# What is sold stays between two games, and so does what players have; the content is copied, because the server writes
# beside it.
start() {
    [[ -x $server_binary ]] || fail "no server at $server_binary; build it with: make build"
    port=$(free_port) store_port=$(free_port "$port")
    mkdir -p "$folder/content"
    cp -R examples/Hangman/Server/content/. "$folder/content/"
    cp examples/Hangman/Server/products.json "$folder/"
    # A session of its own, so that Ctrl-C in the game does not reach it.
    setsid "$server_binary" serve --host 127.0.0.1 --port "$port" --database "$folder/ledger.sqlite" \
        --products "$folder/products.json" --content "$folder/content" --simulator --simulator-port "$store_port" \
        >"$log" 2>&1 </dev/null &
    server=$!
    wait_until_ready "$port"
    publish_essential animals en
    publish_essential tiere de
    wait_for_essentials
}

# publish_essential BUNDLE LANGUAGE: a version that games with players of that language fetch at their first start. What
# is published already stays as it is.
publish_essential() {
    "$server_binary" bundles publish "examples/Hangman/Server/content/$1/1.0.0" --bundle "$1" --version 1.0.1 \
        --essential --languages "$2" --database "$folder/ledger.sqlite" --products "$folder/products.json" \
        --content "$folder/content" >>"$log" 2>&1 || fail "$1 is not published; $log says why"
}

# A running server looks for new versions every two seconds, and a game that starts before would not see these.
wait_for_essentials() {
    local deadline=$((SECONDS + ready_within))
    until curl --silent --noproxy '*' --max-time 2 "http://127.0.0.1:$port/v1/apps/com.example.hangman/products" |
        grep -q '"essential":true.*"essential":true'; do
        ((SECONDS < deadline)) || fail "the server does not list the packs for the first start"
        sleep 0.1
    done
}

trap stop_server EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
[[ -x $binary ]] || fail "no game at $binary; build it with: make hangman"
install_commands curl
if ! { has_shop && has_store; }; then
    start
    # An account is on one server.
    home=(--home "$folder/home")
fi
terminal=$(stty -g 2>/dev/null || true)
"$binary" --server "http://127.0.0.1:$port" --simulator "http://127.0.0.1:$store_port" "${home[@]}" "$@" || status=$?
if [[ ${status:=0} == 137 && -n $terminal ]]; then
    # It was killed, and could not put the terminal back.
    stty "$terminal"
    printf '%b' "$first_screen"
fi
exit "$status"
