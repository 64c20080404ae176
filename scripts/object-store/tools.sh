#!/usr/bin/env bash
# Installs what the tests' object store (server.py) is made of into .build/object-store-venv. A second run with the same
# releases needs no network.
set -euo pipefail

cd "$(dirname "$0")/../.."

readonly task=object-store
# The releases that the tests were written for; newer ones are a change of their own.
readonly libraries=(moto==5.2.5 flask==3.1.3 flask-cors==6.0.5 boto3==1.44.5 botocore==1.44.5 werkzeug==3.1.9 py-partiql-parser==0.6.3 pyyaml==6.0.3)

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install_python_packages .build/object-store-venv "${libraries[@]}"
