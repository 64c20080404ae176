# shellcheck shell=bash disable=SC2154 # scripts/packages.sh sets task.
# Programs of packages that are not installed but unpacked into the build folder, since installing them starts a server.

readonly unpacked=.build/bench-tools
readonly fetch_within=300 # seconds

# program NAME PACKAGE…: where it is; it is not running. If it is missing, the first package that has it is unpacked.
program() {
    find_program "$1" || { unpack "$@" && find_program "$1"; } ||
        fail "$1 could not be fetched, or lacks a library; install the Debian package $2, then try again"
}

find_program() {
    local candidate
    # The folders for administrators are often missing in PATH.
    for candidate in "$(PATH=$PATH:/usr/sbin:/usr/local/sbin type -P "$1")" "$PWD/$unpacked"/usr/{sbin,bin}/"$1"; do
        if [[ -x $candidate ]] && ! ldd "$candidate" 2>/dev/null | grep -q 'not found'; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

unpack() {
    local -r name=$1
    local package
    command -v apt-get >/dev/null || fail "missing: $name. Install it, then try again; it need not run"
    echo "$task: unpacking $name into $unpacked" >&2
    mkdir -p "$unpacked"
    apt-cache show "$2" >/dev/null 2>&1 || as_root timeout "$fetch_within" apt-get update -qq >&2 ||
        fail 'apt-get update failed'
    for package in "${@:2}"; do
        if fetch "$package" && find_program "$name" >/dev/null; then return; fi
    done
    return 1
}

fetch() {
    (
        cd "$unpacked" || exit
        rm -f ./*.deb
        # As root apt would drop its privileges, and then could not write here.
        timeout "$fetch_within" apt-get download -qq -o APT::Sandbox::User=root "$1" >&2 &&
            dpkg-deb --extract ./*.deb . && rm -f ./*.deb
    )
}
