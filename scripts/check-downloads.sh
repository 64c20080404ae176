#!/usr/bin/env bash
# Has curl, wget and aria2 fetch a large bundle and cuts them off, again and again: what is resumed and what is fetched in
# pieces comes to the same bytes, and a file that is swapped meanwhile is never spliced. Ends with 1 where it does not.
#   QUARTERMASTER_BINARY names a server that is built already; CUTS (50) says how often each client is cut off.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

readonly cuts=${CUTS:-50}
readonly size=$((200 << 20))          # bytes
readonly rate=$((40 << 20))           # bytes a second, so that there is something to cut
readonly milliseconds=(20 110)        # that a client gets before it is cut off
readonly bundle=big product=com.example.hangman.big

# shellcheck source=scripts/demo-support.sh
source scripts/demo-support.sh

# Publishes the bundle and sells it to a player; sets link and sha256.
stage() {
    begin stage "a bundle of $((size >> 20)) MiB"
    mkdir -p "$folder/big"
    head -c "$size" /dev/urandom >"$folder/big/big.bin"
    "$binary" bundles publish "$folder/big" --bundle "$bundle" --version 1.0.0 --content "$folder/content" \
        --database "$folder/ledger.sqlite" >/dev/null 2>&1 || fail 'not published'
    sleep 3 # The server looks every two seconds.
    "$binary" products add --app com.example.hangman --database "$folder/ledger.sqlite" \
        --products "$folder/products.json" --content "$folder/content" \
        "{\"id\": \"$product\", \"type\": \"non-consumable\", \"bundles\": [\"$bundle\"]}" >/dev/null
    sleep 3
    call POST /v1/accounts
    field token .accessToken
    local account
    field account .account
    request POST "$store/simulator/v1/purchases" --header 'Content-Type: application/json' --data-binary \
        "{\"bundleID\": \"com.example.hangman\", \"productID\": \"$product\", \"type\": \"non-consumable\",
          \"appAccountToken\": \"$account\"}"
    local receipt
    field receipt .signedTransaction
    call POST /v1/receipts "{\"receipt\": \"$receipt\"}"
    expect_status 200 'the purchase'
    ask_for_link
    passed "$sha256"
}

ask_for_link() {
    call GET "/v1/bundles/$bundle"
    field sha256 '.files[0].sha256'
    field link '.files[0].url'
    link=$base$link
}

# cut_off COMMAND…: kills it somewhere on its way; how it ends says nothing.
cut_off() {
    local range=$((milliseconds[1] - milliseconds[0]))
    local wait=$((milliseconds[0] + RANDOM % range))
    "$@" >/dev/null 2>&1 &
    local client=$!
    sleep "0.$(printf '%03d' "$wait")"
    kill -KILL "$client" 2>/dev/null || true
    wait "$client" 2>/dev/null || true
}

# resumed NAME FILE COMMAND…: the command, cut off and started again, fetches the file whole.
resumed() {
    local name=$1 file=$2 cut partly=0
    shift 2
    begin "$name" "$cuts cuts"
    for ((cut = 0; cut < cuts; cut++)); do
        cut_off "$@"
        # Done before it could be cut: from the beginning.
        if [[ -f $file && ! -e $file.aria2 ]] && (($(stat -c %s "$file") == size)); then rm -f "$file"; fi
        if [[ -s $file ]]; then partly=$((partly + 1)); fi
    done
    ((partly > cuts / 2)) || fail "only $partly cuts were in the middle"
    "${@//"$rate"/0}" >"$folder/client" 2>&1 || fail "$(tail -n 3 "$folder/client")"
    [[ $(sha256sum <"$file") == "$sha256 "* ]] || fail "other bytes after $cuts cuts"
    passed "$partly in the middle of it, every byte right"
    rm -f "$file"
}

# The bytes of the link change while a client is half through: it gets no part of others.
swapped() {
    begin swap 'the file changes under the client'
    local file=$folder/content/swap/1.0.0/big.bin half=$((size / 2)) answer
    mkdir -p "$folder/content/swap/1.0.0"
    cp "$folder/big/big.bin" "$folder/next" && printf 'other' | dd of="$folder/next" conv=notrunc status=none
    cp "$folder/next" "$file"
    curl --silent --noproxy '*' --range "0-$((half - 1))" --output "$folder/half" "$link" || fail 'the first half'
    head -c "$size" /dev/urandom >"$folder/big/big.bin"
    # The object itself, as a careless restore of a backup would.
    find "$folder/content/.store/objects" -name "$sha256" -exec cp "$folder/big/big.bin" {} \;
    answer=$(curl --silent --noproxy '*' --header "Range: bytes=$half-" --header "If-Range: \"$sha256\"" \
        --output "$folder/rest" --write-out '%{http_code}' "$link")
    if [[ $answer == 206 ]]; then
        [[ $(cat "$folder/half" "$folder/rest" | sha256sum) == "$sha256 "* ]] || fail 'spliced'
    fi
    passed "$answer, nothing spliced"
}

main() {
    local link='' sha256=''
    install_commands wget aria2c:aria2
    start_server "$binary"
    stage
    resumed curl "$folder/curl.bin" \
        curl --fail --noproxy '*' --continue-at - --limit-rate "$rate" --output "$folder/curl.bin" "$link"
    resumed wget "$folder/wget.bin" \
        wget --no-proxy --continue --limit-rate "$rate" --output-document "$folder/wget.bin" "$link"
    ask_for_link
    resumed aria2 "$folder/aria2.bin" \
        aria2c --no-conf --max-connection-per-server 8 --split 8 --min-split-size 1M --continue --auto-save-interval 1 \
        --max-overall-download-limit "$rate" --dir "$folder" --out aria2.bin "$link"
    swapped
}

main
