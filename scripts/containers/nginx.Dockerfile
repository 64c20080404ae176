# What the Compose files need of the image nginx: its user by number, its templates, its folders, and curl.
# A tmpfs on a folder has its mode.
FROM debian:bookworm-slim
RUN useradd --system --uid 101 --user-group nginx && apt-get update \
    && apt-get install -y --no-install-recommends nginx-light gettext-base curl \
    && install -d -m 1777 /var/cache/nginx && chmod 1777 /etc/nginx/conf.d /run \
    && ln -sf /dev/stdout /var/log/nginx/access.log && ln -sf /dev/stderr /var/log/nginx/error.log
COPY nginx.sh /usr/local/bin/
COPY nginx.conf /etc/nginx/
ENTRYPOINT ["nginx.sh"]
