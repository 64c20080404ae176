# shellcheck shell=bash

# free_port [OTHER]: nobody listens there now; below the ports that outgoing connections take, and not the other one.
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 12000))
        if ((port != ${1:-0})) && ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            echo "$port"
            return
        fi
    done
}
