#!/usr/bin/env bash
# Does what docs/develop/adding-a-product-type.md says, block by block, in an empty folder outside of this checkout: makes the
# package, builds and tests it, serves, buys, restores on a second device. Compares what the commands print with what
# the guide says they print. Only the address of Quartermaster is replaced: by the path of this checkout.
# Ends with 0 when all went right. QUARTERMASTER_GUIDE_BUILD names a build folder to keep for the next time.
set -Eeuo pipefail

checkout=$(realpath -- "$(dirname "$0")/..")
# The build takes minutes; kept, it takes seconds.
if [[ -n ${QUARTERMASTER_GUIDE_BUILD:-} ]]; then
    SWIFTPM_BUILD_DIR=$(realpath -m -- "$QUARTERMASTER_GUIDE_BUILD")
    export SWIFTPM_BUILD_DIR
fi
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done

readonly checkout guide=$checkout/docs/develop/adding-a-product-type.md
readonly served_within=300 # seconds: swift run looks first whether there is anything to build

# shellcheck source=scripts/demo-support.sh
source "$checkout/scripts/demo-support.sh"

# split_guide: writes each fenced block to blocks/NN, and what stands behind its fence to blocks/NN.kind.
split_guide() {
    mkdir "$folder/blocks"
    awk -v blocks="$folder/blocks" '
        /^```/ && !inside { inside = 1; file = sprintf("%s/%02d", blocks, ++count); printf "" > file
                            print substr($0, 4) > (file ".kind"); close(file ".kind"); next }
        /^```/ { inside = 0; close(file); next }
        inside { print > file }' "$guide"
}

# write_file PATH BLOCK
write_file() {
    mkdir -p "$(dirname "$1")"
    sed "s|\.package(url: \"[^\"]*\", branch: \"[^\"]*\")|.package(name: \"quartermaster\", path: \"$checkout\")|" \
        "$2" >"$1"
    passed "$(wc -l <"$1") lines"
}

# serve BLOCK: starts what the block says and waits until it answers.
serve() {
    bash -c "exec $(<"$1")" >"$folder/log" 2>&1 </dev/null &
    server=$!
    wait_until_ready "$QUARTERMASTER_PORT" "$served_within"
    passed "$(<"$1")"
}

# run BLOCK: here, so that the variables that it sets are there for those after it.
run() {
    # shellcheck disable=SC1090
    source "$1" >"$folder/output" 2>"$folder/log"
    passed "$(head -n 1 "$1" | cut -c 1-60)"
}

# expect_output BLOCK: the last commands printed the block.
expect_output() {
    diff --unified "$1" "$folder/output" >&2 || fail "the guide says (-) what the commands do not print (+)"
    more 'printed what the guide says'
}

# follow NN KIND…
follow() {
    local block=$folder/blocks/$1 what=${3:-}
    begin "block $1" "$2 $what"
    case "$2 $what" in
        'sh ') run "$block" ;;
        'sh serve') serve "$block" ;;
        'text output') expect_output "$block" ;;
        'text ') ;; # Shown, not done.
        *.*) write_file "$what" "$block" ;;
        *) fail 'neither a file nor commands nor their output' ;;
    esac
}

trap clean_up EXIT
trap 'fail "failed: $BASH_COMMAND"' ERR
trap 'exit 130' INT
trap 'exit 143' TERM HUP
folder=$(mktemp -d "${TMPDIR:-/tmp}/quartermaster-guide.XXXXXX")
QUARTERMASTER_PORT=$(free_port)
QUARTERMASTER_SIMULATOR_PORT=$(free_port "$QUARTERMASTER_PORT")
export QUARTERMASTER_PORT QUARTERMASTER_SIMULATOR_PORT
split_guide
mkdir "$folder/work"
cd "$folder/work"
echo 'The guide to a product type of your own, done block by block'
echo
for kind in "$folder"/blocks/*.kind; do
    # shellcheck disable=SC2046 # One or two words.
    follow "$(basename "$kind" .kind)" $(<"$kind")
done
[[ -n $server ]] || fail 'the guide starts no server'
echo
echo 'the guide, all right'
