#!/usr/bin/env bash
# Plays the fourteen steps of an in-app purchase with a server, for a word pack, credits, a theme for a month and a
# subscription, against a fresh Quartermaster with its simulated App Store. Then a second device restores it all.
# Ends with 0 when every step went right; else names the step on standard error and ends with 1.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

readonly app=com.example.hangman
readonly verified_within=20 # seconds
readonly products=(hardwords tenhints nighttheme.month club.monthly)
declare -rA type_of=([hardwords]=non-consumable [tenhints]=consumable [nighttheme.month]=non-renewing
    [club.monthly]=auto-renewable)
# What the app sends for each: every form that a purchase leaves behind.
declare -rA form_of=([hardwords]=signedTransaction [tenhints]=transactionReceipt [nighttheme.month]=appReceipt
    [club.monthly]=signedTransaction)

account='' recovery_code='' listed='' about_bundle=''
declare -A purchase_of=() receipt_of=() answer_of=()

# shellcheck source=scripts/demo-support.sh
source scripts/demo-support.sh

# MARK: - 1 and 2: the product list

ask_for_products() {
    local etag revision
    begin 'step 1' 'the app asks for its product IDs'
    request GET "$base/v1/apps/$app/products"
    passed "GET /v1/apps/$app/products"

    begin 'step 2' 'the server answers'
    expect_status 200 'the product list'
    for product in "${products[@]}"; do
        # shellcheck disable=SC2016 # $id is jq's.
        holds '(.productIDs | index($id)) and any(.products[]; .id == $id and .type == $type)' \
            "$product is not on sale" --arg id "$app.$product" --arg type "${type_of[$product]}"
    done
    listed=$body
    etag=$(header ETag)
    [[ $etag == \"*\" ]] || fail "no strong ETag on the product list, but '$etag'"
    field revision .revision
    passed "$(jq '.productIDs | length' <<<"$listed") products, revision ${revision:0:12}"
    request GET "$base/v1/apps/$app/products" --header "If-None-Match: $etag"
    expect_status 304 'the product list that did not change'
    more 'asked again with its ETag: 304, not changed'
}

# MARK: - 3 to 8: the app and the App Store, played by the simulator

shop() {
    begin 'step 3' 'the app asks the store about them'
    request GET "$store/simulator/v1/root.cer"
    expect_status 200 'the simulated App Store'
    passed "$(jq '.productIDs | length' <<<"$listed") IDs, to the simulated App Store"

    begin 'step 4' 'the store answers'
    [[ $(stat --format %s "$folder/body") -gt 0 ]] || fail 'the simulated App Store has no root certificate'
    passed "it is there, with a root of its own: $(sha256sum "$folder/body" | cut -c 1-12)…"

    begin 'step 5' 'the app shows them'
    passed "$(jq -r '[.products[].id | split(".")[3:] | join(".")] | join(", ")' <<<"$listed")"

    begin 'step 6' 'the player chooses'
    passed "$(jq -nr '$ARGS.positional | join(", ")' --args "${products[@]}")"
}

pay() {
    begin 'step 7' 'the app asks the store for payment'
    request POST "$base/v1/accounts"
    expect_status 201 'a new account'
    field account .account
    field token .accessToken
    field recovery_code .recoveryCode
    passed "with appAccountToken $account"

    begin 'step 8' 'the store takes it and tells the app'
    local id ids=()
    for product in "${products[@]}"; do
        request POST "$store/simulator/v1/purchases" --header 'Content-Type: application/json' --data-binary \
            "$(jq -n --arg app "$app" --arg product "$app.$product" --arg type "${type_of[$product]}" \
                --arg account "$account" \
                '{bundleID: $app, productID: $product, type: $type, appAccountToken: $account}')"
        expect_status 201 "buying $product"
        purchase_of[$product]=$body
        field id .transactionID
        ids+=("$id")
    done
    passed "${#ids[@]} transactions: ${ids[*]}"
}

# MARK: - 9 to 13: the receipts

send_receipts() {
    local id
    begin 'step 9' 'the app sends the receipts'
    for product in "${products[@]}"; do
        call POST /v1/receipts "$(jq --arg form "${form_of[$product]}" '{receipt: .[$form]}' \
            <<<"${purchase_of[$product]}")"
        [[ $status == 202 ]] || expect_status 200 "the receipt of $product"
        field id .receipt
        receipt_of[$product]=$id answer_of[$product]=$body
    done
    passed "POST /v1/receipts, ${#products[@]} times"
    more "$(printf '%s\n' "${form_of[@]}" | sort -u | paste -s -d ' ')"

    begin 'step 10' 'the server records them'
    for product in "${products[@]}"; do
        call GET "/v1/receipts/${receipt_of[$product]}"
        expect_status 200 "the record of $product"
    done
    passed "GET /v1/receipts/{id} knows all of them, as ${receipt_of[hardwords]:0:12}…"
}

# Asks again where the store could not say at once; the answer is then the receipt's as of now.
await_verdict() {
    local verdict deadline=$((SECONDS + verified_within))
    body=${answer_of[$1]}
    field verdict .status
    while [[ $verdict == pending ]]; do
        ((SECONDS < deadline)) || fail "the receipt of $1 is pending after $verified_within seconds"
        sleep 0.2
        call GET "/v1/receipts/${receipt_of[$1]}"
        expect_status 200 "the receipt of $1"
        field verdict .status
    done
    answer_of[$1]=$body
}

verify() {
    begin 'step 11' 'the server has them verified'
    for product in "${products[@]}"; do await_verdict "$product"; done
    passed 'none is pending'

    begin 'step 12' 'what the store signed is genuine'
    for product in "${products[@]}"; do
        body=${answer_of[$product]}
        holds '.status == "verified"' "the receipt of $product is not verified"
    done
    passed "${#products[@]} verified"
    call POST /v1/receipts "$(jq '.signedTransaction | split(".")
        | .[2] |= (if .[0:1] == "A" then "B" else "A" end) + .[1:] | {receipt: join(".")}' \
        <<<"${purchase_of[hardwords]}")"
    expect_status 422 'a receipt with an altered signature'
    holds '.code == "receipt_rejected"' 'the wrong refusal'
    local reason
    field reason .reason
    more "one with an altered signature: 422, $reason"
}

read_receipts() {
    local outcome lines=()
    begin 'step 13' 'the server reads what was bought'
    for product in "${products[@]}"; do
        body=${answer_of[$product]}
        # shellcheck disable=SC2016 # $id and $product are jq's.
        holds 'any(.transactions[]; .id == $id and .product == $product and .environment == "Production")' \
            "the transaction of $product is not in its receipt" --arg product "$app.$product" \
            --arg id "$(jq -r .transactionID <<<"${purchase_of[$product]}")"
        field outcome "first(.transactions[] | select(.product == \"$app.$product\")) | .outcome"
        [[ $outcome == delivered || $outcome == alreadyDelivered ]] || fail "$product is $outcome: ${body:0:600}"
        lines+=("$product: $outcome")
    done
    passed "${lines[0]}"
    for line in "${lines[@]:1}"; do more "$line"; done
}

# MARK: - 14: the delivery

# expect_access PRODUCT: the last answer, entitlements, grants the product.
expect_access() {
    # shellcheck disable=SC2016 # $id is jq's.
    holds 'any(.entitlements[]; .product == $id and .access == "granted")' "$1 is not granted" --arg id "$app.$1"
}

# field_until NAME PRODUCT: sets the variable NAME to the end of the access.
field_until() { field "$1" ".entitlements[] | select(.product == \"$app.$2\") | .until"; }

# fetch URL PATH SIZE HASH: in two parts, as after a connection that broke off.
fetch() {
    local url=$1 file=$2 size=$3 hash=$4
    [[ $url == http* ]] || url=$base$url
    if ((size < 2)); then
        request GET "$url"
        expect_status 200 "$file"
        cp "$folder/body" "$folder/file"
        return
    fi
    request GET "$url" --header "Range: bytes=0-$((size / 2 - 1))"
    expect_status 206 "the first half of $file"
    cp "$folder/body" "$folder/file"
    [[ $(header ETag) == "\"$hash\"" ]] || fail "$file has the ETag '$(header ETag)', not its SHA-256"
    request GET "$url" --header "Range: bytes=$((size / 2))-" --header "If-Range: \"$hash\""
    expect_status 206 "the second half of $file"
    cat "$folder/body" >>"$folder/file"
}

# download BUNDLE: manifest and every file, hash and size checked; leaves the summary in about_bundle.
download() {
    local bundle=$1 manifest version path size hash url count=0 bytes=0
    call GET "/v1/bundles/$bundle"
    expect_status 200 "the manifest of $bundle"
    manifest=$(jq -er '.files[] | [.size, .sha256, .url, .path] | @tsv' <<<"$body" 2>/dev/null) ||
        fail "the manifest of $bundle names no files: ${body:0:600}"
    field version .version
    while IFS=$'\t' read -r size hash url path; do
        fetch "$url" "$path" "$size" "$hash"
        [[ $(stat --format %s "$folder/file") == "$size" ]] || fail "$bundle/$path has not $size bytes"
        sha256sum --check --status <<<"$hash  $folder/file" || fail "$bundle/$path has not the SHA-256 of its manifest"
        count=$((count + 1)) bytes=$((bytes + size))
    done <<<"$manifest"
    about_bundle="$bundle $version: $count files, $bytes bytes, every SHA-256 right"
}

refuse_stranger() {
    local mine=$token
    request POST "$base/v1/accounts"
    expect_status 201 'another account'
    field token .accessToken
    call GET /v1/bundles/hard-words
    expect_status 403 'hard-words for somebody who did not buy it'
    holds '.code == "not_entitled"' 'the wrong refusal'
    token=$mine
}

deliver() {
    begin 'step 14' 'the server delivers'
    download hard-words
    passed "$about_bundle"
    call GET /v1/entitlements
    expect_status 200 'the entitlements'
    for product in hardwords nighttheme.month club.monthly; do expect_access "$product"; done
    holds '.balances.hints == 10' 'not ten hints'
    more '10 hints'
    local theme_ends club_ends
    field_until theme_ends nighttheme.month
    field_until club_ends club.monthly
    download night-theme
    more "$about_bundle"
    more "for a month, until $theme_ends"
    download ios-words
    more "$about_bundle"
    more "by the club, until $club_ends"
    refuse_stranger
    more 'hard-words for somebody who did not buy it: 403, not_entitled'
}

# MARK: - And then

spend() {
    begin 'spending' 'three hints, and the answer got lost'
    for _ in 1 2; do
        call POST /v1/balances/hints/spend '{"amount": 3}' --header 'Idempotency-Key: demo-1'
        expect_status 200 'spending three hints'
        holds '.currency == "hints" and .balance == 7' 'not seven hints left'
    done
    passed 'sent twice with one key: 7 hints left, spent once'
}

restore() {
    begin 'second device' 'the player types the recovery code'
    token=''
    request POST "$base/v1/sessions" --header 'Content-Type: application/json' --data-binary \
        "$(jq -n --arg code "$recovery_code" '{recoveryCode: $code}')"
    expect_status 201 'a session by recovery code'
    # shellcheck disable=SC2016 # $account is jq's.
    holds '.account == $account' 'the recovery code led to another account' --arg account "$account"
    field token .accessToken
    call POST /v1/restore '{}'
    expect_status 200 'the restore'
    for product in hardwords nighttheme.month club.monthly; do expect_access "$product"; done
    holds '.balances.hints == 7' 'not seven hints'
    passed 'hardwords, nighttheme.month, club.monthly and 7 hints are there'
    for bundle in hard-words night-theme ios-words; do
        download "$bundle"
        more "$about_bundle"
    done
}

check_books() {
    local said
    begin 'afterwards' 'the ledger and its audit trail'
    said=$("$binary" ledger rebuild --check --database "$folder/ledger.sqlite" 2>&1) || fail "the ledger: $said"
    passed "$said"
    said=$("$binary" audit verify --database "$folder/ledger.sqlite" 2>&1) || fail "the audit trail: $said"
    more "${said%%$'\n'*}"
}

start_server "$binary"
echo 'The fourteen steps of a purchase, with a fresh server and a simulated App Store'
echo
ask_for_products
shop
pay
send_receipts
verify
read_receipts
deliver
spend
restore
check_books
echo
echo '14 steps, all right'
