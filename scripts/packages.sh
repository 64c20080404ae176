# shellcheck shell=bash
# For scripts that install what they lack, and say why they cannot go on. One that is not called after its file sets task.

: "${task:=$(basename "$0" .sh)}"
readonly pip_within=600 # seconds
# Two checks beside each other may need the same packages, and apt does not wait for another apt.
readonly packages_lock=${TMPDIR:-/tmp}/quartermaster-packages.lock

fail() {
    printf '%s: %s\n' "$task" "$1" >&2
    exit 1
}

as_root() {
    if ((EUID == 0)); then
        "$@"
    else
        command -v sudo >/dev/null || fail "this needs root: $*"
        sudo "$@"
    fi
}

# install_packages [PACKAGE…]: by their names in Debian.
install_packages() {
    if (($# == 0)); then return; fi
    command -v apt-get >/dev/null || fail "missing: $* (names as in Debian). Install them, then try again"
    echo "$task: installing $*" >&2
    (
        flock 9
        as_root apt-get update -qq >&2 9>&- || fail "apt-get update failed; missing: $*"
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2 9>&- ||
            fail "apt-get could not install: $*"
    ) 9>>"$packages_lock" || exit 1
}

# install_commands COMMAND[:PACKAGE]…: the packages of those that are lacking.
install_commands() {
    local each packages=()
    for each in "$@"; do
        command -v "${each%%:*}" >/dev/null || packages+=("${each##*:}")
    done
    install_packages "${packages[@]}"
}

# What C programs that use OpenSSL are compiled with.
install_compiler() {
    install_commands cc:gcc
    [[ -e /usr/include/openssl/evp.h ]] || install_packages libssl-dev
}

# has_python_packages ENVIRONMENT PACKAGES: whether these are what was installed, one a line.
has_python_packages() { [[ -e $1/installed && $(<"$1/installed") == "$2" ]]; }

# install_python_packages ENVIRONMENT PACKAGE…: a second time with the same packages needs no network.
install_python_packages() {
    local -r target=$1
    shift
    local wanted
    wanted=$(printf '%s\n' "$@")
    if has_python_packages "$target" "$wanted"; then return; fi
    # Debian brings the module venv in a package of its own, without which no environment can be made.
    python3 -c 'import ensurepip, venv' 2>/dev/null || install_packages python3-venv
    (
        flock 9
        if has_python_packages "$target" "$wanted"; then exit; fi
        echo "$task: installing $1 into $target" >&2
        python3 -m venv --clear "$target" || fail "python3 could not make $target"
        timeout "$pip_within" "$target/bin/pip" install --quiet --disable-pip-version-check "$@" ||
            fail "pip could not install $*"
        printf '%s' "$wanted" >"$target/installed"
    ) 9>>"$packages_lock" || exit 1
}
