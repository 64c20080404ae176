# The server, and nothing but what it needs to run. `make check-image` builds it with podman.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libpq-dev libsqlite3-dev libxml2-dev libzstd-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
RUN scripts/build.sh

# The same release of Debian: the program needs the C library that it was linked with, or a newer one.
FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        bash-completion ca-certificates libpq5 libsqlite3-0 libstdc++6 libxml2 libzstd1 zlib1g \
    && rm -rf /var/lib/apt/lists/*
# The ledger has receipts and keys: nobody else may look into its folder.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /var/lib/quartermaster \
        --shell /usr/sbin/nologin quartermaster \
    && install -d -o quartermaster -g quartermaster -m 0700 /var/lib/quartermaster \
    && install -d -o quartermaster -g quartermaster -m 0755 /srv/quartermaster
COPY --from=build /build/.build/release/quartermaster /usr/local/bin/quartermaster
# For `docker exec -it … bash`: Debian's own bash.bashrc loads no completions.
RUN install -d /usr/share/bash-completion/completions \
    && quartermaster --generate-completion-script bash >/usr/share/bash-completion/completions/quartermaster \
    && echo '. /usr/share/bash-completion/bash_completion' >>/etc/bash.bashrc
# What a new volume begins with: the sample shop, to be replaced by your own.
COPY --chown=quartermaster:quartermaster products.json /srv/quartermaster/products.json
COPY --chown=quartermaster:quartermaster content /srv/quartermaster/content
ENV QUARTERMASTER_HOST=0.0.0.0
ENV QUARTERMASTER_PORT=8080
ENV QUARTERMASTER_DATABASE=/var/lib/quartermaster/ledger.sqlite
ENV QUARTERMASTER_PRODUCTS=/srv/quartermaster/products.json
ENV QUARTERMASTER_CONTENT=/srv/quartermaster/content
USER quartermaster
WORKDIR /srv/quartermaster
VOLUME ["/var/lib/quartermaster", "/srv/quartermaster"]
EXPOSE 8080
# By bash itself, so that no HTTP client is in the image.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$QUARTERMASTER_PORT && printf 'GET /ready HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [[ $status == 200 ]]"]
ENTRYPOINT ["quartermaster"]
CMD ["serve"]
