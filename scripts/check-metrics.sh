#!/usr/bin/env bash
# Has promtool, Prometheus' own checker, read what a fresh server with some traffic tells at /metrics, and the alerts and
# the dashboard in examples/monitoring. Ends with 0 where it has nothing to say; else its complaints are on standard error,
# and the status is 1.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

readonly app=com.example.hangman environment=.build/monitoring-venv
readonly alarms_within=30 # seconds

# shellcheck source=scripts/demo-support.sh
source scripts/demo-support.sh

# shellcheck source=scripts/programs.sh
source scripts/programs.sh

# MARK: - Traffic

# buy PRODUCT TYPE FORM: leaves what the app would send in the variable receipt.
buy() {
    request POST "$store/simulator/v1/purchases" --header 'Content-Type: application/json' --data-binary \
        "$(jq -n --arg app "$app" --arg product "$app.$1" --arg type "$2" \
            '{bundleID: $app, productID: $product, type: $type}')"
    expect_status 201 "buying $1"
    field receipt ".$3"
}

# show STATUS: sends the receipt.
show() {
    call POST /v1/receipts "$(jq -n --arg receipt "$receipt" '{receipt: $receipt}')"
    expect_status "$1" 'the receipt'
}

make_traffic() {
    local receipt url
    begin traffic 'buys, is refused, gets lost'
    request POST "$base/v1/accounts"
    field token .accessToken
    buy hardwords non-consumable signedTransaction
    show 200
    show 200
    buy tenhints consumable transactionReceipt
    show 200
    buy cheathints consumable signedTransaction
    show 200
    receipt=garbage
    show 422
    call GET /v1/bundles/hard-words
    field url '.files[0].url'
    request GET "$base$url"
    expect_status 200 'a file'
    request GET "$base/nowhere\"\\"
    request GET "$store/simulator/v1/root.cer"
}

# MARK: - The check

# expect_sample NAME: the scrape has it, so that promtool did not read an empty page.
expect_sample() { grep -q "^$1[{ ]" "$folder/scrape" || fail "no $1 in the scrape"; }

check() {
    begin scrape 'promtool reads it'
    request GET "$base/metrics"
    expect_status 200 'the scrape'
    cp "$folder/body" "$folder/scrape"
    [[ $(header Content-Type) == 'text/plain; version=0.0.4; charset=utf-8' ]] || fail 'the wrong Content-Type'
    for name in process_start_time_seconds quartermaster_{http_requests,receipts,transactions}_total \
        quartermaster_{http_request,store_request,ledger_write}_duration_seconds_bucket; do
        expect_sample "$name"
    done
    grep -q '^quartermaster_http_connections [1-9]' "$folder/scrape" || fail 'the connection that scrapes is not counted'
    local complaints
    complaints=$("$promtool" check metrics <"$folder/scrape" 2>&1) || fail "promtool: $complaints"
    [[ -z $complaints ]] || fail "promtool: $complaints"
    passed "$(grep -c '^# TYPE' "$folder/scrape") metrics, $(grep -vc '^#' "$folder/scrape") samples, no complaint"
}

# wait_for_alarms: they are measured soon after the start.
wait_for_alarms() {
    for ((second = 0; second < alarms_within; second++)); do
        request GET "$base/metrics"
        if grep -q '^quartermaster_alarm_level{' "$folder/body"; then return; fi
        sleep 1
    done
    fail "no alarm was measured in $alarms_within seconds"
}

check_examples() {
    local said
    begin examples 'alerts and dashboard ask for what there is'
    wait_for_alarms
    request GET "$base/metrics"
    cp "$folder/body" "$folder/scrape"
    said=$(PYTHONPATH=scripts/bench "$environment/bin/python" -B scripts/monitoring/monitoring.py "$promtool" \
        "$folder/scrape") || fail 'an alert or the dashboard is wrong'
    passed "$said"
}

begin promtool 'is at hand'
promtool=$(program promtool prometheus)
install_python_packages "$environment" jsonschema==4.23.0 PyYAML==6.0.2
passed "$("$promtool" --version 2>&1 | head -n 1 | cut -d ' ' -f 1-3)"
start_server "$binary"
make_traffic
check
check_examples
