#!/usr/bin/env bash
# Writes behind the tag of each image of others, in the Dockerfile and the Compose files, the digest that its registry has
# for it now: what a tag names can change, what a digest names cannot. Look at the difference, build, and commit it.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

readonly files=(Dockerfile compose.yaml compose.single.yaml)
readonly digest_form='sha256:[0-9a-f]{64}'

command -v docker >/dev/null || fail 'missing: docker, with buildx'
images=$(sed -nE 's/^FROM ([^ @]+).*/\1/p; s/^ *image: ([^ @]+:[^ @]+).*/\1/p' "${files[@]}" | sort --unique)
edits=()
for image in $images; do
    digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$image") || fail "$image: not found"
    [[ $digest =~ ^$digest_form$ ]] || fail "$image: the registry names no digest"
    edits+=(--expression "s#^(FROM| *image:) (${image//./\\.})(@$digest_form)?( |\$)#\1 \2@$digest\4#")
done
# Of all of them, or of none.
sed --regexp-extended --in-place "${edits[@]}" "${files[@]}"
