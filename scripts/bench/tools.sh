# shellcheck shell=bash
# The tools of the bench, behind scripts/server.sh. Installs only what is lacking.

# shellcheck source=scripts/programs.sh
source scripts/programs.sh

install_tools() {
    install_compiler
    install_commands python3 openssl wrk strace
    nginx_program >/dev/null
}

# Where it is; it is not running. Debian has the program in the first package, some releases of Ubuntu in the second.
nginx_program() { program nginx nginx nginx-core; }
