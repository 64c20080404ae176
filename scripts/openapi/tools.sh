#!/usr/bin/env bash
# Installs what the scripts of this folder need into .build/openapi-venv. A second run with the same releases needs no
# network.
set -euo pipefail

cd "$(dirname "$0")/../.."

readonly task=openapi
# The releases that the scripts were written for; newer ones are a change of their own.
readonly libraries=(pyyaml==6.0.3 jsonschema==4.26.0 openapi-spec-validator==0.9.0)

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install_python_packages .build/openapi-venv "${libraries[@]}"
