#!/usr/bin/env bash
# Reads the Compose files as an engine would, then starts what compose.yaml says without one: its two servers, its nginx
# and its commands with the settings and addresses of the file, PostgreSQL, and the tests' S3 server in the place of
# SeaweedFS; pushes a catalog, publishes, buys, downloads, and takes the servers down one by one. Needs root, for a
# network of its own.
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../.build/release/quartermaster}")
# A setting of the operator's own server must not reach these.
for setting in "${!QUARTERMASTER_@}" "${!PG@}" "${!AWS_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
cd "$(dirname "$0")/.."

readonly binary

# shellcheck source=scripts/bench/tools.sh
source scripts/bench/tools.sh

((EUID == 0)) || fail 'a network of its own needs root: sudo make check-compose'
[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
install_commands python3 openssl curl ip:iproute2
# Of Debian's own Python, which the rest runs in.
/usr/bin/python3 -c 'import yaml' 2>/dev/null || install_packages python3-yaml
nginx_program >/dev/null || unpack_nginx
scripts/object-store/tools.sh
# What is mounted and which addresses there are is gone when it ends.
PYTHONPATH=scripts:scripts/bench:scripts/cluster exec unshare --mount --net \
    /usr/bin/python3 -B scripts/check_compose.py "$binary" "$(nginx_program)"
