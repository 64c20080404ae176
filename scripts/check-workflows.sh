#!/usr/bin/env bash
# Checks .github/workflows: by GitHub's schema, by zizmor for what an attacker could use, and the commands by shellcheck.
# The first two come from PyPI into .build/workflows-venv; a second run with the same releases needs no network.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly environment=.build/workflows-venv
# Newer ones are a change of their own: each may find what it did not find before.
readonly tools=(check-jsonschema==0.39.0 zizmor==1.32.0)

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install_commands python3 shellcheck
install_python_packages "$environment" "${tools[@]}"

"$environment/bin/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml
"$environment/bin/zizmor" --offline --no-progress --quiet .github/workflows
# ruamel.yaml comes with check-jsonschema.
"$environment/bin/python3" -B scripts/workflow_commands.py .github/workflows/*.yml
