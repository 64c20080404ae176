# shellcheck shell=bash disable=SC2154 # scripts/packages.sh sets task.
# The tools of the bench, behind scripts/server.sh. Installs only what is lacking; nginx is not installed but unpacked
# into the build folder, since installing its package starts a web server.

readonly unpacked=.build/bench-tools

install_tools() {
    install_compiler
    install_commands python3 openssl wrk strace
    nginx_program >/dev/null || unpack_nginx
}

# Where it is; it is not running.
nginx_program() {
    local candidate
    # The folders for administrators are often missing in PATH.
    for candidate in "$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v nginx)" "$PWD/$unpacked/usr/sbin/nginx"; do
        if [[ -n $candidate ]] && "$candidate" -v 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

# Debian has the program in the first package, some releases of Ubuntu in the second.
unpack_nginx() {
    local package
    command -v apt-get >/dev/null || fail 'missing: nginx. Install it, then try again; it need not run'
    echo "$task: unpacking nginx into $unpacked" >&2
    mkdir -p "$unpacked"
    apt-cache show nginx >/dev/null 2>&1 || as_root apt-get update -qq >&2 || fail 'apt-get update failed'
    for package in nginx nginx-core; do
        if fetch "$package" && nginx_program >/dev/null; then return; fi
    done
    fail 'nginx could not be fetched, or lacks a library; install the Debian package nginx, then try again'
}

fetch() {
    (
        cd "$unpacked" || exit
        rm -f ./*.deb
        # As root apt would drop its privileges, and then could not write here.
        apt-get download -qq -o APT::Sandbox::User=root "$1" >&2 && dpkg-deb --extract ./*.deb . && rm -f ./*.deb
    )
}
