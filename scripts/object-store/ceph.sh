#!/usr/bin/env bash
# Runs the tests about object stores against a real one: Ceph's RADOS Gateway as Debian has it, with a monitor and a store
# in memory, in a folder of its own. Installs it where it is lacking; nothing of it is left running.
set -euo pipefail
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.

cd "$(dirname "$0")/../.."

# As in Tests/TestSupport/ObjectStoreServer.swift.
readonly access_key=AKIDTEST secret_key=test-secret region=eu-test-1 bucket=words
readonly answer_within=60 # seconds, for each step of the start
readonly python=.build/object-store-venv/bin/python task=test-s3

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

free_port() { "$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Sockets have short paths, so it is not below var.
folder=$(mktemp -d "${TMPDIR:-/tmp}/qm-s3.XXXXXX")
processes=()

clean_up() {
    if ((${#processes[@]} > 0)); then
        kill "${processes[@]}" 2>/dev/null || true
        wait "${processes[@]}" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

start() {
    "$@" --foreground >>"$folder/output" 2>&1 &
    processes+=($!)
}

broken() {
    tail -n 20 "$folder/output" >&2
    fail "$1"
}

write_settings() {
    cat >"$folder/ceph.conf" <<END
[global]
fsid = $cluster
mon_host = v2:127.0.0.1:$monitor_port
public_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
# The gateway asks for encryption, which needs keys.
ms_mon_client_mode = crc
ms_bind_ipv6 = false
keyring = $folder/keyring
mon_data = $folder/mon
mon_allow_pool_size_one = true
osd_data = $folder/osd
osd_objectstore = memstore
osd_crush_chooseleaf_type = 0
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
rgw_data = $folder/gateway
rgw_frontends = beast endpoint=127.0.0.1:$gateway_port
run_dir = $folder
admin_socket = $folder/\$name.asok
pid_file = $folder/\$name.pid
log_file = $folder/\$name.log
crash_dir = $folder
END
}

ask() { timeout "$answer_within" ceph "$@" >>"$folder/output" 2>&1 || broken "the cluster refuses: ceph $*"; }

start_cluster() {
    mkdir "$folder/mon" "$folder/osd" "$folder/gateway"
    cluster=$(</proc/sys/kernel/random/uuid) monitor_port=$(free_port) gateway_port=$(free_port)
    local -r disk=$(</proc/sys/kernel/random/uuid)
    export CEPH_CONF=$folder/ceph.conf
    write_settings
    {
        ceph-authtool --create-keyring "$folder/keyring" --gen-key --name mon. --cap mon 'allow *'
        ceph-authtool "$folder/keyring" --gen-key --name client.admin --cap mon 'allow *' --cap osd 'allow *'
        monmaptool --create --fsid "$cluster" --addv a "[v2:127.0.0.1:$monitor_port]" "$folder/monmap"
        ceph-mon --mkfs --id a --monmap "$folder/monmap" --keyring "$folder/keyring"
    } >>"$folder/output" 2>&1 || broken 'the monitor could not be prepared'
    start ceph-mon --id a
    ask osd new "$disk"
    ceph-osd --id 0 --mkfs --osd-uuid "$disk" >>"$folder/output" 2>&1 || broken 'the store could not be prepared'
    ask osd crush add osd.0 1 root=default host=one
    start ceph-osd --id 0
    timeout "$answer_within" radosgw-admin user create --uid test --display-name test --key-type s3 \
        --access-key "$access_key" --secret "$secret_key" >>"$folder/output" 2>&1 || broken 'no user could be made'
    start radosgw --name client.admin
}

make_bucket() {
    timeout "$answer_within" "$python" - "$1" <<END || broken 'the gateway makes no bucket'
import sys
import boto3
from botocore.config import Config

boto3.client(
    "s3", endpoint_url=sys.argv[1], region_name="$region", aws_access_key_id="$access_key",
    aws_secret_access_key="$secret_key", config=Config(retries={"total_max_attempts": 20, "mode": "standard"}),
).create_bucket(Bucket="$bucket")
END
}

scripts/object-store/tools.sh
install_commands radosgw ceph:ceph-common ceph-mon ceph-osd
start_cluster
endpoint=http://127.0.0.1:$gateway_port
curl -s -o /dev/null --retry "$answer_within" --retry-delay 1 --retry-connrefused "$endpoint" ||
    broken 'the gateway does not answer'
make_bucket "$endpoint"
echo "test-s3: $(radosgw --version)"
QUARTERMASTER_TEST_OBJECT_STORE=$endpoint ONLY='ContentTests ObjectStoreTests' \
    FILTER='ObjectClientTests|ContentPlaceTests|BucketPublishingTests' \
    scripts/test.sh --explicit-target-dependency-import-check error
