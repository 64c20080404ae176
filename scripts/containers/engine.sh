# shellcheck shell=bash
# A container engine for checks: podman as Debian has it, with all that it keeps in .build/engine, so that it neither
# sees nor changes images of the machine's own. It asks no registry: the images that the Dockerfile and the Compose
# files name are made here, of Debian's packages and the Swift that is installed, under the same names. What was built
# stays as podman's cache, and is built again where files changed; after `rm -rf .build/engine` everything is.
#
# For scripts in scripts/, at their beginning: it starts them once more, where every process and mount ends with them.

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

readonly engine=$PWD/.build/engine

((EUID == 0)) || fail "containers need root: sudo make $task"
mkdir -p "$engine"
if [[ -z ${ENGINE_LOCKED:-} ]]; then
    exec 8>"$engine/lock"
    flock 8 # Two of them would remove each other's containers.
    ENGINE_LOCKED=1 exec unshare --mount --pid --fork --kill-child --mount-proc "scripts/${0##*/}" "$@"
fi
install_commands podman runc mmdebstrap iptables curl jq ip:iproute2
# Debian's podman finds these two here, and not in PATH.
[[ -x /usr/lib/podman/netavark && -x /usr/lib/podman/aardvark-dns ]] || install_packages netavark aardvark-dns

# No registries.conf, no hosts and no limits of the machine: those here may be lower than podman's own, and only few may
# raise them.
export CONTAINERS_CONF=$engine/containers.conf CONTAINERS_STORAGE_CONF=$engine/storage.conf
# Health is asked for by these checks; podman would have timers of systemd do it, which may not be there.
export DISABLE_HC_SYSTEMD=true
open_files=$(ulimit -H -n) processes=$(ulimit -H -u)
readonly open_files processes
rm -rf "$engine/run"
# Which addresses are given away stands here, whatever the settings say.
mkdir -p /run/containers
mount -t tmpfs tmpfs /run/containers
cat >"$CONTAINERS_CONF" <<END
[containers]
base_hosts_file = "none"
default_ulimits = ["nofile=$open_files:$open_files", "nproc=$processes:$processes"]
log_driver = "k8s-file"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
runtime = "runc"
tmp_dir = "$engine/run/tmp"
[network]
network_backend = "netavark"
network_config_dir = "$engine/run/networks"
END
cat >"$CONTAINERS_STORAGE_CONF" <<END
[storage]
driver = "overlay"
graphroot = "$engine/storage"
runroot = "$engine/run/root"
END
# Of a run that was killed.
podman pod rm --all --force >/dev/null
podman rm --all --force --volumes >/dev/null
podman volume prune --force >/dev/null

# import_debian NAME RELEASE [OPTION…]: a Debian under that name, unless it is there; the options are mmdebstrap's.
import_debian() {
    if podman image exists "$1"; then return; fi
    echo "$task: making $1" >&2
    # No service starts when its package is installed, as in Debian's own image.
    # shellcheck disable=SC2016 # $1 is the hook's.
    mmdebstrap --quiet --variant=minbase "${@:3}" --customize-hook='
        printf "#!/bin/sh\nexit 101\n" >"$1/usr/sbin/policy-rc.d" && chmod +x "$1/usr/sbin/policy-rc.d"' "$2" - |
        podman import --quiet --change CMD=bash - "docker.io/library/$1" >/dev/null && return
    podman rmi "$1" >/dev/null || true # What came until then.
    fail "$1 could not be made"
}

# import_swift NAME VERSION RELEASE: the same with the Swift of this machine, and the packages of Swift's own image.
import_swift() {
    local toolchain version
    version=$(swift --version 2>/dev/null) || fail 'no swift in PATH'
    [[ $version == *"Swift version $2"[.\ ]* ]] || fail "the Dockerfile says Swift $2, here is ${version%%$'\n'*}"
    toolchain=$(realpath "$(command -v swift)")
    toolchain=${toolchain%/bin/*}
    [[ $toolchain == */usr && $toolchain != /usr ]] || fail "Swift in a folder of its own is needed, not in $toolchain"
    import_debian "$1" "$3" "--customize-hook=copy-in $toolchain /" --include=binutils-gold,ca-certificates,gcc,git \
        --include=gnupg,libc6-dev,libcurl4-openssl-dev,libedit2,libncurses-dev,libpython3-dev,libsqlite3-0 \
        --include=libstdc++-12-dev,libxml2-dev,libz3-dev,pkg-config,tzdata,uuid-dev,zlib1g-dev
}

# git_mirrors: the options with which git in a build finds the packages where it finds them here, if that is a folder.
git_mirrors() {
    local key name folder
    while read -r key name; do
        folder=${key#url.} folder=${folder%.insteadof}
        if [[ ! -d $folder ]]; then continue; fi
        git config --file "$engine/run/gitconfig" --add "url.$folder.insteadOf" "$name"
        printf '%s\n' "--volume=$folder:$folder:ro"
    done < <(git config --get-regexp '^url\..*\.insteadof$') | sort --unique
    if [[ -e $engine/run/gitconfig ]]; then echo "--volume=$engine/run/gitconfig:/etc/gitconfig:ro"; fi
}

# build NAME FILE [OPTION…] FOLDER: in Docker's format, which the other one lacks health checks of.
build() { podman build --format docker --pull=never --network=host --tag "$1" --file "$2" "${@:3}" >&2; }

# build_image: `quartermaster`, as the Dockerfile says; takes as long as building the server does, if that changed.
build_image() {
    local from version mirrors
    # The images are made here, and have no digest of a registry.
    sed 's/@sha256:[0-9a-f]*//' Dockerfile >"$engine/run/Dockerfile"
    while read -r _ from _; do
        version=${from#*:}
        case $from in
            debian:*-slim) import_debian "$from" "${version%-slim}" ;;
            swift:*-*) import_swift "$from" "${version%%-*}" "${version#*-}" ;;
            *) fail "$from: nothing here makes it" ;;
        esac
    done < <(grep '^FROM ' "$engine/run/Dockerfile")
    mapfile -t mirrors < <(git_mirrors)
    echo "$task: building the image" >&2
    # With a name of its own, since an image without one is pruned, and built again the next time.
    build quartermaster-build "$engine/run/Dockerfile" --target build "${mirrors[@]}" .
    build quartermaster "$engine/run/Dockerfile" "${mirrors[@]}" .
    podman image prune --force >/dev/null
}

# apart COMMAND…: in a network without anything, where every address and port is free.
apart() { unshare --net sh -c 'ip link set lo up && exec "$@"' sh "$@"; }
