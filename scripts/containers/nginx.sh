#!/usr/bin/env bash
# The entry point of the image of nginx: fills in the variables that there are, and no others, then serves.
set -euo pipefail

for template in /etc/nginx/templates/*.template; do
    name=${template##*/}
    envsubst "$(compgen -e | sed 's/.*/${&}/')" <"$template" >"/etc/nginx/conf.d/${name%.template}"
done
exec nginx -g 'daemon off;'
