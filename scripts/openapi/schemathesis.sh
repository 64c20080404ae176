#!/usr/bin/env bash
# Has schemathesis try every operation of docs/openapi.yaml on a fresh server with the simulated App Store, or with
# --of simulator every operation of docs/openapi-simulator.yaml on a fresh simulated App Store: what is as described and
# what is not, with real and altered receipts, and sequences along the links. With --cases there are rounds, each with
# another seed and a server of its own, until there were so many. Ends with 1 for a status, a header, a body or a code
# that is not described, a status 500, what should have been refused or accepted and was not, and a generator or server
# from which nothing comes for five minutes. The arguments are those of fuzzing.py, among them --examples and --seed.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/../server.sh"

# The release that the hooks were written for; a newer one is a change of its own.
readonly libraries=(schemathesis==4.32.5)

install_commands python3 openssl setpriv:util-linux
install_python_packages .build/schemathesis-venv "${libraries[@]}"
PYTHONPATH=scripts/bench exec python3 -B scripts/openapi/fuzzing.py --binary "$binary" \
    --schemathesis "$PWD/.build/schemathesis-venv/bin/schemathesis" "$@"
