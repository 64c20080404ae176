#!/usr/bin/env bash
# Installs what the tests' object store (server.py) is made of into .build/object-store-venv. A second run with the same
# releases needs no network.
set -euo pipefail

cd "$(dirname "$0")/../.."

readonly environment=.build/object-store-venv install_within=600 # seconds
# The releases that the tests were written for; newer ones are a change of their own.
readonly libraries=(moto==5.2.5 flask==3.1.3 flask-cors==6.0.5 boto3==1.44.5 botocore==1.44.5 werkzeug==3.1.9 py-partiql-parser==0.6.3 pyyaml==6.0.3)

fail() {
    printf 'object-store: %s\n' "$1" >&2
    exit 1
}

as_root() {
    if ((EUID == 0)); then
        "$@"
    else
        command -v sudo >/dev/null || fail "this needs root: $*"
        sudo "$@"
    fi
}

install_python() {
    command -v apt-get >/dev/null || fail 'missing: python3 with venv. Install it, then try again'
    echo 'object-store: installing python3-venv' >&2
    as_root apt-get update -qq >&2 || fail 'apt-get update failed; missing: python3-venv'
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >&2 ||
        fail 'apt-get could not install python3-venv'
}

stamp=$(printf '%s\n' "${libraries[@]}")
if [[ -e $environment/installed && $(<"$environment/installed") == "$stamp" ]]; then exit 0; fi
python3 -c 'import ensurepip, venv' 2>/dev/null || install_python
echo "object-store: installing ${libraries[0]} into $environment" >&2
python3 -m venv --clear "$environment" || fail "python3 could not make $environment"
timeout "$install_within" "$environment/bin/pip" install --quiet --disable-pip-version-check "${libraries[@]}" ||
    fail "pip could not install ${libraries[*]}"
printf '%s' "$stamp" >"$environment/installed"
