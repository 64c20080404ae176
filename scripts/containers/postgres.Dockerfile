# What compose.yaml needs of the image postgres: its user, its folder, its variables, and its programs in PATH.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends postgresql \
    && ln -s /usr/lib/postgresql/*/bin /programs \
    && install -d -o postgres /var/lib/postgresql/data
COPY postgres.sh /usr/local/bin/
ENV PATH=/programs:/usr/local/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/data
ENTRYPOINT ["postgres.sh"]
