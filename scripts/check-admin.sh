#!/usr/bin/env bash
# Has a browser without JavaScript use the pages for administrators: what support does there, what a foreign page cannot,
# and whether everybody can read and operate them (axe, tidy). Ends with 1 for anything that is wrong.
#
#   SCREENSHOTS=FOLDER scripts/check-admin.sh      also leaves pictures of the pages there
#   scripts/check-admin.sh --quick                 looks at the pages in one width and colour scheme only
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../.build/release/quartermaster}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
cd "$(dirname "$0")/.."

# With --quick, without what is installed below: what it should take at most, and when it hangs.
readonly binary environment=.build/admin-venv quick_seconds=120 hanging_seconds=900

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
install_commands python3 chromium tidy
install_python_packages "$environment" playwright==1.65.2 axe-playwright-python==0.1.8
export PYTHONPATH=scripts/bench
if [[ ${LARGE:-} ]]; then
    exec "$environment/bin/python" -B scripts/admin/check_speed.py "$binary"
fi
limit=() status=0 began=$SECONDS
if [[ ${1:-} == --quick ]]; then limit=(timeout --kill-after=10 "$hanging_seconds"); fi
"${limit[@]}" "$environment/bin/python" -B scripts/admin/check_admin.py "$binary" "$@" \
    ${SCREENSHOTS:+--screenshots "$SCREENSHOTS"} || status=$?
# A stage of .ci/run, whose budget is that of a machine that is not slow; it fails for none of its stages either.
if [[ ${1:-} == --quick ]] && ((SECONDS - began > quick_seconds)); then
    printf 'check-admin: %d s, and %d are meant for --quick\n' $((SECONDS - began)) "$quick_seconds" >&2
fi
exit "$status"
