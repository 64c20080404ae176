#!/usr/bin/env bash
# Installs what the tests' object store (server.py) is made of into .build/object-store-venv. A second run with the same
# releases needs no network.
set -euo pipefail

cd "$(dirname "$0")/../.."

readonly task=object-store
# The releases that the tests were written for; newer ones are a change of their own.
mapfile -t libraries <scripts/object-store/libraries.txt
readonly libraries

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install_python_packages .build/object-store-venv "${libraries[@]}"
