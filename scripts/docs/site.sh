#!/usr/bin/env bash
# Builds the documentation as a web site in .build/site, with mkdocs in .build/docs-venv. A dead link, or a page that
# mkdocs.yml does not have in its navigation, or a dead link of an alert, ends it with 1.
set -euo pipefail

cd "$(dirname "$0")/../.."

readonly task=docs
# The releases that mkdocs.yml was written for; newer ones are a change of their own.
readonly libraries=(mkdocs==1.6.1 mkdocs-material==9.8.1 pymdown-extensions==13.1)

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install_commands python3
install_python_packages .build/docs-venv "${libraries[@]}"
# Not --quiet: it silences warnings before --strict counts them. The theme's advertisement is no warning about a page.
NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 .build/docs-venv/bin/mkdocs build --strict
python3 -B scripts/docs/runbooks.py .build/site
echo "docs: .build/site/index.html"
