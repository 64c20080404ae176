#!/usr/bin/env bash
# Starts both Compose files with podman-compose, and buys and downloads there as a player does; with compose.yaml also
# pushes a catalog, publishes, and takes the servers down one by one. The images of PostgreSQL and nginx are made of
# Debian's packages, and the tests' S3 server is in the place of SeaweedFS. Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/containers/engine.sh
source scripts/containers/engine.sh

readonly environment=.build/compose-venv

# image SERVICE FILE [OPTION…] FOLDER: under the name that a Compose file has for it.
image() {
    local name
    name=$(sed -n "s/^    image: \(.*$1:[^@]*\).*/\1/p" compose.yaml)
    build "docker.io/$([[ $name == */* ]] || echo library/)$name" "scripts/containers/$2" "${@:3}"
}

install_commands python3 openssl
install_python_packages "$environment" podman-compose==1.6.0
build_image
podman tag quartermaster check_server # Of compose.single.yaml, as podman-compose calls it.
echo "$task: building the images of others" >&2
image postgres postgres.Dockerfile scripts/containers
image nginx nginx.Dockerfile scripts/containers
image seaweedfs seaweedfs.Dockerfile --volume /etc/ssl/certs/ca-certificates.crt:/run/certificates.pem:ro scripts
PATH=$PWD/$environment/bin:$PATH PYTHONPATH=scripts/bench:scripts/cluster \
    apart "$environment/bin/python3" -B scripts/check_compose.py
