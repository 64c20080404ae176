#!/usr/bin/env bash
# Serves a copy of the sample shop with the simulated App Store and says where. Ctrl-C stops the server, and this script
# ends with the server's own exit status.
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../.build/release/quartermaster}")
cd "$(dirname "$0")/.."

readonly binary
readonly port=${QUARTERMASTER_PORT:-8080} store_port=${QUARTERMASTER_SIMULATOR_PORT:-8090}
readonly shop=var/shop database=var/quartermaster.sqlite settings=var/quartermaster.json
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

# What is changed while playing is changed in the copy, and stays.
copy_shop() {
    [[ -d $shop ]] && return
    rm -rf "$shop.new"
    mkdir -p "$shop.new"
    cp -R products.json content "$shop.new/"
    mv "$shop.new" "$shop"
}

# Every command that is run in this folder finds it there, and so means this server's ledger. What somebody added stays.
# Requests and what else goes well are not logged.
write_settings() {
    [[ -s $settings ]] || echo '{}' >"$settings"
    jq --argjson port "$port" --argjson store_port "$store_port" --arg database "$database" --arg shop "$shop" \
        '{logLevel: "notice"} + . + {host: "127.0.0.1", port: $port, database: $database, simulator: true,
            simulatorPort: $store_port, products: "\($shop)/products.json", content: "\($shop)/content"}' \
        "$settings" >"$settings.new"
    mv "$settings.new" "$settings"
}

start() {
    # A process group of its own, so that Ctrl-C reaches the server once: from stop, as SIGTERM.
    set -m
    # Its own words about its addresses are below, too.
    "$binary" serve --config "$settings" </dev/null >/dev/null &
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
    say_where
}

# A browser that opens it is signed in.
admin_link() {
    "$binary" admin-token open --config "$settings" --name make-run --role write || echo "http://127.0.0.1:$port/admin"
}

say_where() {
    cat <<TEXT

The sample shop, as a copy in $shop. README.md has a purchase in five commands. Ctrl-C stops the server.
The last link signs you in, once, within ten minutes. Another: $binary admin-token open --name make-run

  Shop                 http://127.0.0.1:$port
  App Store simulator  http://127.0.0.1:$store_port
  Admin pages          $(admin_link)

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
copy_shop
write_settings
trap stop INT TERM HUP
start
wait_until_ready
wait_for_server
