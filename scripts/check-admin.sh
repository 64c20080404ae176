#!/usr/bin/env bash
# Has a browser without JavaScript use the pages for administrators: what support does there, what a foreign page cannot,
# and whether everybody can read and operate them (axe, tidy). Ends with 1 for anything that is wrong.
#
#   SCREENSHOTS=FOLDER scripts/check-admin.sh      also leaves pictures of the pages there
#   scripts/check-admin.sh --quick                 looks at the pages in one width and colour scheme only
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

readonly environment=.build/admin-venv quick_seconds=300

install_commands python3 chromium tidy
install_python_packages "$environment" playwright==1.65.2 axe-playwright-python==0.1.8
export PYTHONPATH=scripts/bench
if [[ ${LARGE:-} ]]; then exec "$environment/bin/python" -B scripts/admin/check_speed.py "$binary"; fi
# A stage of .ci/run, without what was installed above.
limit=() status=0
if [[ ${1:-} == --quick ]]; then limit=(timeout --kill-after=10 "$quick_seconds"); fi
"${limit[@]}" "$environment/bin/python" -B scripts/admin/check_admin.py "$binary" "$@" \
    ${SCREENSHOTS:+--screenshots "$SCREENSHOTS"} || status=$?
if ((status == 124)); then echo "check-admin: not done after $quick_seconds s" >&2; fi
exit "$status"
