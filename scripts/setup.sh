#!/usr/bin/env bash
# Makes a Debian or Ubuntu machine ready to build and try Quartermaster; with "tests" as argument, to test it too. Installs
# only what is lacking; where nothing is lacking it does nothing. Elsewhere it says what to install.
set -euo pipefail

readonly swift_needed=6.3

# shellcheck source=scripts/packages.sh
source "$(dirname "$0")/packages.sh"

check_swift() {
    local where="see https://www.swift.org/install/" banner major minor
    command -v swift >/dev/null || fail "Swift $swift_needed or newer is missing (no swift in PATH); $where"
    banner=$(swift --version 2>/dev/null) || fail "swift is in PATH but does not run; $where"
    [[ $banner =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] || fail "swift does not tell its version; $where"
    major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
    ((major > ${swift_needed%.*} || (major == ${swift_needed%.*} && minor >= ${swift_needed#*.}))) ||
        fail "Swift $swift_needed or newer is missing (found $major.$minor); $where"
}

lacks_command() { ! command -v "$1" >/dev/null; }

# Apple's SDK brings the libraries without headers in these folders.
lacks_file() { [[ $(uname) != Darwin ]] && ! compgen -G "/usr/include/$1" >/dev/null &&
    ! compgen -G "/usr/local/include/$1" >/dev/null; }

# The Debian packages that are lacking, one a line, each with the reason why it is here.
lacking_packages() {
    if lacks_command git; then echo git; fi                          # SwiftPM fetches with it
    if lacks_command make; then echo make; fi                        # the front door
    if lacks_command curl; then echo curl; fi                        # the demo is a client
    if lacks_command jq; then echo jq; fi                            # that reads JSON
    if lacks_file 'sqlite3.h'; then echo libsqlite3-dev; fi          # the embedded ledger
    if lacks_file 'libpq-fe.h' && lacks_file 'postgresql/libpq-fe.h'; then
        echo libpq-dev                                               # the ledger of several servers
    fi
    if lacks_file 'zlib.h'; then echo zlib1g-dev; fi                 # the HTTP client links it, and gzip is made with it
    if lacks_file 'libxml2/libxml/parser.h'; then
        echo libxml2-dev                                             # Swift's XML links it: what a bucket lists
    fi
    if lacks_file 'zstd.h'; then echo libzstd-dev; fi                # patches, and content compressed
    if lacks_file 'c++/*/vector'; then echo g++; fi                  # headers for the C++ inside swift-crypto
    if [[ $(uname) != Darwin && ! -e /etc/ssl/certs/ca-certificates.crt && ! -e /etc/pki/tls/cert.pem ]]; then
        echo ca-certificates                                         # to fetch by https
    fi
}

lacks_postgres() { lacks_command initdb && ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }

# Debian starts a server with the package, which nobody asked for. One that is configured already is left alone.
install_postgres() {
    local settings=/etc/postgresql-common/createcluster.conf
    if [[ ! -e $settings ]] && command -v apt-get >/dev/null; then
        install_packages postgresql-common
        as_root sed -i 's/^#create_main_cluster *=.*/create_main_cluster = false/' "$settings"
    fi
    install_packages postgresql
}

check_swift
mapfile -t lacking < <(lacking_packages)
install_packages "${lacking[@]}"
if [[ ${1:-} == tests ]] && lacks_postgres; then install_postgres; fi
