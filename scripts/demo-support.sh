# shellcheck shell=bash
# What scripts/demo.sh needs to play: telling, asking, and a server of its own.

folder='' server='' base='' store='' step='the start' about='' status='' body='' token=''

# MARK: - Telling

begin() { step=$1 about=$2; }

passed() { printf ' ✔ %-14s %-36s %s\n' "$step" "$about" "$1"; }

more() { printf '   %-14s %-36s %s\n' '' '' "$1"; }

fail() {
    printf ' ✘ %s: %s\n' "$step" "$1" >&2
    if [[ -s $folder/log ]]; then
        printf '\nThe last lines of the server:\n' >&2
        tail -n 15 "$folder/log" >&2
    fi
    exit 1
}

# MARK: - Asking

# request METHOD URL [curl arguments…]: sets status and body.
request() {
    local method=$1 url=$2
    shift 2
    status=$(curl --silent --show-error --noproxy '*' --max-time 30 --request "$method" --write-out '%{http_code}' \
        --dump-header "$folder/headers" --output "$folder/body" "$@" "$url" 2>"$folder/curl-error") ||
        fail "$method $url: $(<"$folder/curl-error")"
    body=$(tr -d '\0' <"$folder/body") # A certificate has bytes that a variable cannot hold.
}

# call METHOD PATH [JSON] [curl arguments…]: as the player.
call() {
    local method=$1 path=$2 json=${3:-}
    shift $(($# > 2 ? 3 : 2))
    local arguments=(--header "Authorization: Bearer $token")
    if [[ -n $json ]]; then
        printf '%s' "$json" >"$folder/request" # A receipt may be longer than an argument can be.
        arguments+=(--header 'Content-Type: application/json' --data-binary "@$folder/request")
    fi
    request "$method" "$base$path" "${arguments[@]}" "$@"
}

expect_status() { [[ $status == "$1" ]] || fail "$2: expected $1, got $status ${body:0:600}"; }

# field NAME FILTER: sets the variable NAME to a value of the last answer; what is null or missing is a failure.
field() {
    local found
    found=$(jq -er "$2" <<<"$body" 2>/dev/null) || fail "no $2 in ${body:0:600}"
    printf -v "$1" '%s' "$found"
}

# holds FILTER WHY [jq arguments…]: the filter is true for the last answer.
holds() {
    local filter=$1 why=$2
    shift 2
    jq -e "$@" "$filter" <<<"$body" >/dev/null 2>&1 || fail "$why: ${body:0:600}"
}

header() { tr -d '\r' <"$folder/headers" | sed -n "s/^$1: //Ip" | tail -n 1; }

# MARK: - The server

# shellcheck source=scripts/serving.sh
source "${BASH_SOURCE[0]%/*}/serving.sh"

# A shop of its own: whoever plays with the sample shop changes that.
stock() {
    cp -R examples/Hangman/Server/content "$folder/"
    cat >"$folder/products.json" <<'JSON'
{"apps": [{"bundleID": "com.example.hangman", "appAppleID": 1234567890, "products": [
    {"id": "com.example.hangman.tenhints", "type": "consumable", "credits": {"hints": 10}},
    {"id": "com.example.hangman.hardwords", "type": "non-consumable", "bundles": ["hard-words"]},
    {"id": "com.example.hangman.nighttheme.month", "type": "non-renewing", "duration": "P1M",
     "bundles": ["night-theme"]},
    {"id": "com.example.hangman.club.monthly", "type": "auto-renewable", "group": "club",
     "bundles": ["hard-words", "ios-words", "night-theme"]}
]}]}
JSON
}

# start_server BINARY: starts a fresh one in a temporary folder; both are gone when the script ends, however it ends.
start_server() {
    local port store_port
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    folder=$(mktemp -d "${TMPDIR:-/tmp}/quartermaster-demo.XXXXXX")
    port=$(free_port)
    store_port=$(free_port "$port")
    # shellcheck disable=SC2034 # The script that reads this file asks the store.
    base=http://127.0.0.1:$port store=http://127.0.0.1:$store_port
    stock
    "$1" serve --host 127.0.0.1 --port "$port" --database "$folder/ledger.sqlite" \
        --products "$folder/products.json" --content "$folder/content" --simulator --simulator-port "$store_port" \
        >"$folder/log" 2>&1 </dev/null &
    server=$!
    wait_until_ready "$port"
}

clean_up() {
    stop_server
    [[ -z $folder ]] || rm -rf -- "$folder"
}
