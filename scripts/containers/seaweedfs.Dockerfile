# In the place of SeaweedFS, which Debian does not have: the tests' S3 server, started by the same command.
FROM debian:bookworm-slim
COPY object-store/libraries.txt /usr/local/share/
RUN apt-get update && apt-get install -y --no-install-recommends jq python3-pip wget \
    && pip install --quiet --root-user-action=ignore --break-system-packages \
        --cert /run/certificates.pem --requirement /usr/local/share/libraries.txt \
    && install -d -o 1000 /data
COPY object-store/server.py containers/weed /usr/local/bin/
ENV PYTHONDONTWRITEBYTECODE=1
