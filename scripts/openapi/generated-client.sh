#!/usr/bin/env bash
# Generates a client from docs/openapi.yaml by openapi-python-client, somebody else's generator, and plays a purchase with
# it: account, purchases from the simulated App Store, spend, restore, entitlements, manifest, files.
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../../.build/release/quartermaster}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
cd "$(dirname "$0")/../.."

readonly binary task=check-generated-client environment=.build/openapi-client-venv generated=.build/openapi-client
readonly libraries=(openapi-python-client==0.29.1)

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
install_commands python3 setpriv:util-linux
install_python_packages "$environment" "${libraries[@]}"
PATH="$PWD/$environment/bin:$PATH" openapi-python-client generate --path docs/openapi.yaml --output-path "$generated" \
    --overwrite --fail-on-warning --config scripts/openapi/generated-client.yaml
NO_PROXY='*' PYTHONPATH=scripts/bench:$generated exec "$environment/bin/python" -B scripts/openapi/generated_client.py \
    --binary "$binary"
