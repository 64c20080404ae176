#!/usr/bin/env bash
# Tests the scripts that judge others: scripts/tests, with Debian's pytest and Debian's Python. Arguments are pytest's.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install_commands pytest-3:python3-pytest
# Where they lack, pytest skips what is judged with their help.
/usr/bin/python3 -c 'import attrs, jsonschema, yaml' 2>/dev/null ||
    install_packages python3-attr python3-jsonschema python3-yaml
PYTHONDONTWRITEBYTECODE=1 exec pytest-3 -q -p no:cacheprovider --strict-markers "$@" scripts/tests
