#!/usr/bin/env bash
# Serves the sample catalog with the simulated App Store and says what to try. Ctrl-C stops the server, and this script
# ends with the server's own exit status.
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../.build/release/quartermaster}")
cd "$(dirname "$0")/.."

readonly binary
readonly port=${QUARTERMASTER_PORT:-8080} store_port=${QUARTERMASTER_SIMULATOR_PORT:-8090}
readonly database=var/quartermaster.sqlite settings=var/quartermaster.json
readonly ready_within=30 # seconds: a start reads the catalog and hashes the content, which takes well under one

fail() {
    printf 'run: %s\n' "$1" >&2
    exit 1
}

check_port() {
    # A connection that is accepted means that somebody listens there.
    if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then
        fail "port $1 is taken by another program; stop that, or choose another: $2=$(($1 + 1)) make run"
    fi
}

# Every command that is run in this folder finds it there, and so means this server's ledger. Written anew each time.
write_settings() {
    mkdir -p var
    cat >"$settings.new" <<JSON
{
  "host": "127.0.0.1",
  "port": $port,
  "database": "$database",
  "products": "products.json",
  "content": "content",
  "simulator": true,
  "simulatorPort": $store_port
}
JSON
    mv "$settings.new" "$settings"
    printf '%s, which every command in this folder reads:\n' "$settings"
    cat "$settings"
}

start() {
    # A process group of its own, so that Ctrl-C reaches the server once: from stop, as SIGTERM.
    set -m
    "$binary" serve --config "$settings" </dev/null &
    server=$!
    set +m
}

stop() { kill -TERM "$server" 2>/dev/null || true; }

alive() { kill -0 "$server" 2>/dev/null; }

wait_until_ready() {
    local deadline=$((SECONDS + ready_within))
    until curl --silent --fail --noproxy '*' --output /dev/null "http://127.0.0.1:$port/ready"; do
        alive || return 0
        if ((SECONDS >= deadline)); then
            stop
            fail "the server does not answer /ready within $ready_within seconds"
        fi
        sleep 0.1 || true # Ctrl-C ends the sleep too.
    done
    say_what_to_try
}

# A browser that opens it is signed in.
admin_link() {
    "$binary" admin-token open --config "$settings" --name make-run --role write || echo "http://127.0.0.1:$port/admin"
}

say_what_to_try() {
    cat <<TEXT

Quartermaster listens on http://127.0.0.1:$port, its simulated App Store on http://127.0.0.1:$store_port.
The database is $database. Ctrl-C stops the server.

The pages for administrators, good for a minute: $(admin_link)
Another link: $binary admin-token open --name make-run --role write

Try this in another terminal, line by line:

  Q=http://127.0.0.1:$port S=http://127.0.0.1:$store_port J='Content-Type: application/json'
  A=\$(curl -s -X POST \$Q/v1/accounts); T="Authorization: Bearer \$(jq -r .accessToken <<<"\$A")"; jq . <<<"\$A"
  P=\$(jq '{bundleID: "com.example.hangman", productID: "com.example.hangman.hardwords", type: "non-consumable",
      appAccountToken: .account}' <<<"\$A" | curl -s \$S/simulator/v1/purchases -H "\$J" -d @-); jq . <<<"\$P"
  jq '{receipt: .signedTransaction}' <<<"\$P" | curl -s \$Q/v1/receipts -H "\$T" -H "\$J" -d @- | jq .
  curl -s \$Q/v1/entitlements -H "\$T" | jq .
  M=\$(curl -s \$Q/v1/bundles/hard-words -H "\$T"); jq . <<<"\$M"
  curl -s "\$Q\$(jq -r '.files[] | select(.path == "words.txt").url' <<<"\$M")" | shuf -n 5

TEXT
}

# `wait` ends early when a signal arrives; only after the server is gone it tells the server's own status.
wait_for_server() {
    local status
    while alive; do wait "$server" || true; done
    wait "$server" && status=0 || status=$?
    return "$status"
}

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
check_port "$port" QUARTERMASTER_PORT
check_port "$store_port" QUARTERMASTER_SIMULATOR_PORT
write_settings
trap stop INT TERM HUP
start
wait_until_ready
wait_for_server
