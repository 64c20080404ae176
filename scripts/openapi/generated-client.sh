#!/usr/bin/env bash
# Generates a client from docs/openapi.yaml by openapi-python-client, somebody else's generator, and plays a purchase with
# it: account, purchases from the simulated App Store, spend, restore, entitlements, manifest, files.
set -euo pipefail

task=check-generated-client
# shellcheck source=scripts/server.sh
source "$(dirname "$0")/../server.sh"

readonly environment=.build/openapi-client-venv generated=.build/openapi-client
readonly libraries=(openapi-python-client==0.29.1)

install_commands python3 setpriv:util-linux
install_python_packages "$environment" "${libraries[@]}"
PATH="$PWD/$environment/bin:$PATH" openapi-python-client generate --path docs/openapi.yaml --output-path "$generated" \
    --overwrite --fail-on-warning --config scripts/openapi/generated-client.yaml
NO_PROXY='*' PYTHONPATH=scripts/bench:$generated exec "$environment/bin/python" -B \
    scripts/openapi/generated_client.py "$binary"
