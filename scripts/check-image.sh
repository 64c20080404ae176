#!/usr/bin/env bash
# Builds the image of the Dockerfile with podman and tries it: that it has the libraries which the program needs, starts
# as its user, becomes healthy and stops, plays the demo, and has a systemd unit beside it without mistakes. Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/containers/engine.sh
source scripts/containers/engine.sh

readonly program=/usr/local/bin/quartermaster unit=quartermaster.service units=examples/systemd
readonly start_within=30 stop_within=30 # seconds
readonly most_exposure=20               # of 100, as systemd-analyze counts
readonly volumes='/srv/quartermaster /var/lib/quartermaster'

inside() { podman run --rm --network=none --user=root --entrypoint='' quartermaster "$@"; }

# Every library is there, and each but Debian's own is of a package that the last stage of the Dockerfile names.
check_libraries() {
    local linked packages library owner needed
    linked=$(inside ldd "$program")
    [[ $linked != *'not found'* ]] || fail "the image lacks libraries: $linked"
    [[ $linked != *libswift* ]] || fail "Swift's libraries are not linked into the program"
    packages=$(tac Dockerfile | sed '/^FROM/q' | tr -s ' \n' ' ')
    needed=$(objdump -p "$root$program" | awk '$1 == "NEEDED" { print $2 }')
    for library in $needed; do
        owner=$(inside sh -c "dpkg-query --search '*/$library' | head -n 1")
        owner=${owner%%:*}
        [[ $owner == libc6 || $owner == libgcc-s1 || $packages == *" $owner "* ]] ||
            fail "$library is of ${owner:-no package}, which the Dockerfile does not name"
    done
    echo "$task: it needs ${needed//$'\n'/ }"
}

# As an engine starts it, until its health check is content; and then its end.
check_start() {
    local status said deadline=$((SECONDS + start_within))
    podman run --detach --name server --network=none quartermaster >/dev/null
    until podman healthcheck run server &>/dev/null; do
        ((SECONDS < deadline)) || fail "it does not become healthy: $(podman logs --tail 15 server 2>&1)"
        sleep 0.2
    done
    status=$(podman exec server cat /proc/1/status)
    grep --quiet --perl-regexp '^Uid:\s+[1-9]' <<<"$status" || fail 'it runs as root'
    grep --quiet --perl-regexp '^CapEff:\s+0+$' <<<"$status" || fail 'it has capabilities'
    said=$(podman exec server stat --format '%a %U' /var/lib/quartermaster/ledger.sqlite)
    [[ $said == '600 quartermaster' ]] || fail "the ledger is $said"
    said=$(podman inspect --format '{{range .Mounts}}{{println .Destination}}{{end}}' server | sort | xargs)
    [[ $said == "$volumes" ]] || fail "its volumes are $said"
    # An interactive shell, as `docker exec` starts it, completes the program's commands.
    said=$(podman exec server bash -i -c '_completion_loader quartermaster; complete -p quartermaster' 2>/dev/null) || true
    [[ $said == *' quartermaster' ]] || fail "a shell in the image does not complete the commands: $said"
    podman stop --time "$stop_within" server >/dev/null
    status=$(podman inspect --format '{{.State.ExitCode}}' server)
    [[ $status == 0 ]] || fail "it ended with $status"
}

# The demo's server is a script that starts a container, where the demo's folder is seen too, as its user's.
play_demo() {
    local user
    user=$(inside id -u "$(podman image inspect --format '{{.User}}' quartermaster)")
    cat >"$engine/run/server" <<END
#!/usr/bin/env bash
folder=\$(dirname -- "\$(sed -n 's/.*--database \([^ ]*\).*/\1/p' <<<"\$*")")
chown -R $user:$user "\$folder"
exec podman run --rm --network=host --volume "\$folder:\$folder" quartermaster "\$@"
END
    chmod +x "$engine/run/server"
    QUARTERMASTER_BINARY=$engine/run/server apart scripts/demo.sh
}

# The units of systemd beside the program: no mistake in them, and little that the server may do.
check_unit() {
    local each said
    cp "$units"/quartermaster* "$root/etc/systemd/system/"
    # systemd's own, which is not in the image.
    for each in basic multi-user network-online shutdown sysinit timers time-sync time-set; do
        printf '[Unit]\nDescription=A target\nDefaultDependencies=no\n' >"$root/etc/systemd/system/$each.target"
    done
    for each in "$units"/*.service "$units"/*.timer; do
        each=${each##*/}
        said=$(systemd-analyze --root="$root" --man=no verify "/etc/systemd/system/$each" 2>&1) || fail "verify: $said"
        [[ $said != *"$each"* ]] || fail "systemd-analyze verify: $said"
    done
    systemd-analyze --no-pager --offline=true --threshold="$most_exposure" security "$units/$unit" | tail -n 1
}

install_commands objdump:binutils systemd-analyze:systemd
build_image
root=$(podman mount "$(podman create quartermaster)")
readonly root
mkdir -p "$root/etc/systemd/system"
check_libraries
check_start
play_demo
check_unit
podman rm --all --force --volumes >/dev/null
echo "$task: the image serves, as its user, and the unit is sound"
