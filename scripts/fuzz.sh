#!/usr/bin/env bash
# Fuzzes what strangers can send, each target for FUZZ_SECONDS (600 where unset). Ends with 1 where one of them trapped
# or believed what nobody signed; the input that did it is left in var/fuzz/TARGET.
#   scripts/fuzz.sh [TARGET]...      all of them where none is named
# A target's corpus stays in var/fuzz for the next run. The build is apart from the ordinary one, in .build/fuzz
# or what FUZZ_BUILD names.
set -euo pipefail

cd "$(dirname "$0")/.."

readonly seconds=${FUZZ_SECONDS:-600}
readonly build=${FUZZ_BUILD:-.build/fuzz} corpora=var/fuzz
# To be extended where Tests/Fuzz/Fuzz.swift is.
readonly all=(
    transaction transaction-members certificate app-receipt transaction-receipt notification range conditions request-body
    request-bytes client-answer client-manifest client-payload)
# Seconds for one input: the largest receipt takes less than one.
readonly longest=10

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

# The signed data is made anew: its certificates expire.
prepare() {
    FUZZ=1 swift build -c release --product fuzz --scratch-path "$build"
    rm -rf "$corpora/signed" && mkdir -p "$corpora/signed"
    python3 -B scripts/signed_data.py "$corpora/signed"
}

# The first inputs of a target.
seed() {
    local target=$1 corpus=$2 signed=$corpora/signed
    case $target in
        transaction) cp "$signed/transaction.jws" "$corpus/seed" ;;
        transaction-members)
            { cat "$signed/header.json" && echo && cat "$signed/payload.json" && echo && cat "$signed/signature"; } \
                >"$corpus/seed" ;;
        certificate) cp "$signed/leaf.der" "$corpus/seed" ;;
        app-receipt) cp "$signed/receipt.der" "$corpus/seed" ;;
        transaction-receipt)
            printf '{"transaction-id" = "7"; "bid" = "com.example.hangman"; quantity = 1;}' >"$corpus/seed-purchase"
            printf '{"signature" = "AkI"; "purchase-info" = "%s"; "environment" = "Sandbox"; pod = 100;}' \
                "$(base64 -w 0 "$corpus/seed-purchase")" >"$corpus/seed-receipt" ;;
        notification) cp "$signed/notification.json" "$corpus/seed" ;;
        range)
            printf '1000\nbytes=0-499' >"$corpus/seed-part"
            printf '1000\nbytes=-1' >"$corpus/seed-end"
            printf '1000\nbytes=5-, ,' >"$corpus/seed-list" ;;
        conditions)
            printf '1000\n"abc"\n"x", W/"abc"\n"abc"\nbytes=0-499' >"$corpus/seed-all"
            printf '1000\n*\n\n\nbytes=-1' >"$corpus/seed-any" ;;
        request-body)
            # Members of every kind of body.
            printf '{"receipt": "x", "receipts": ["\\u0061"], "amount": 1, "recoveryCode": "x", "to": "x", %s, %s, %s}' \
                '"reason": "x", "sha256": "x", "consents": true, "bundleID": null, "currency": "hints", "id": "x"' \
                '"version": "1.0.0", "files": [{"path": "a", "size": 1, "sha256": "x"}], "signedPayload": "x"' \
                '"type": "consumable", "metadata": {"a": [1.5e2, true, []]}' >"$corpus/seed-all" ;;
        request-bytes)
            # A known head alone, in a body that is a read, in chunks, behind half of a head, and many at once.
            printf '\xfe\x00\xff\xfe\x01\xff\xfe\x02' >"$corpus/seed-known"
            printf 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 64\r\n\r\n\xff\xfe\x00\xff\xfe\x00' \
                >"$corpus/seed-body"
            printf '%s\r\n' 'POST /x HTTP/1.1' 'Host: a' 'Transfer-Encoding: chunked' '' 40 >"$corpus/seed-chunks"
            printf '\xff\xfe\x00\xff\r\n0\r\n\r\n' >>"$corpus/seed-chunks"
            printf 'GET /x HTTP/1.1\r\nHost: a\r\nX: \xff\xfe\x00\xff\xfe\x01' >"$corpus/seed-half"
            printf 'GET / HTTP/1.1\r\n\r\n\xff\xfe\x00\xfe\x01\xfe\x00' >"$corpus/seed-many" ;;
        client-answer)
            # Members of every answer, and what makes an access.
            printf '{"account": "946cfa6b-15d2-4a46-80c4-54ee4b20b092", "at": "2026-11-22T04:00:00.123Z", %s, %s, %s, %s}' \
                '"entitlements": [{"app": "a", "product": "p", "type": "consumable", "environment": "Sandbox", "access": "granted", "until": "2027-01-16T08:00:00Z", "runs": [{"from": "2026-11-22T04:00:00Z", "until": "x"}]}]' \
                '"balances": {"hints": 9}, "receipts": [], "bundles": [{"bundle": "b", "versions": ["1.0.0-a.1", "1.0.0"]}]' \
                '"products": [{"id": "p", "type": "t", "metadata": {"a": [1.5e2, true, {}]}}], "status": "verified"' \
                '"receipt": "r", "finish": true, "transactions": [{"id": "1", "outcome": "delivered"}], "code": "x"' \
                >"$corpus/seed-all" ;;
        client-manifest) cp "$signed/manifest.json" "$corpus/seed" ;;
        client-payload)
            cp "$signed/manifest-payload.json" "$signed/fresh-payload.json" "$corpus/"
            # Paths that no device may store.
            sed 's|"words.txt"|"../words.txt"|' "$signed/manifest-payload.json" >"$corpus/seed-up"
            sed 's|"words.txt"|"/words.txt"|' "$signed/manifest-payload.json" >"$corpus/seed-absolute"
            sed 's|"words.txt"|"MORE/words.TXT"|' "$signed/manifest-payload.json" >"$corpus/seed-case" ;;
        *) fail "no target $target; there are: ${all[*]}" ;;
    esac
}

fuzz() {
    local target=$1 folder=$corpora/$1
    mkdir -p "$folder/corpus"
    seed "$target" "$folder/corpus"
    echo "fuzz: $target, $seconds seconds"
    FUZZ_TARGET=$target FUZZ_SIGNED_DATA=$corpora/signed "$build/release/fuzz" "$folder/corpus" \
        -max_total_time="$seconds" -timeout="$longest" -max_len=16384 -artifact_prefix="$folder/" -print_final_stats=1 \
        >"$folder/log" 2>&1 || {
        tail -n 30 "$folder/log" >&2
        echo "fuzz: $target failed; its input and log are in $folder" >&2
        return 1
    }
    grep -E 'number_of_executed_units|average_exec_per_sec|peak_rss' "$folder/log"
}

main() {
    local target failed=0
    install_commands openssl python3
    prepare
    for target in "$@"; do fuzz "$target" || failed=1; done
    return "$failed"
}

main "${@:-${all[@]}}"
