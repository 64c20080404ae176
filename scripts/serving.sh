# shellcheck shell=bash
# For scripts that start a server by themselves: its process is in the variable server; log names a file that stays.

readonly ready_within=30 stop_within=15 # seconds

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

# answers URL: by something else than an error.
answers() { curl --silent --fail --noproxy '*' --max-time 2 --output /dev/null "$1"; }

# wait_until_ready PORT [SECONDS]
wait_until_ready() {
    local within=${2:-$ready_within} deadline=$((SECONDS + ${2:-ready_within}))
    until answers "http://127.0.0.1:$1/ready"; do
        kill -0 "$server" 2>/dev/null || fail "the server ended${log:+; $log says why}"
        ((SECONDS < deadline)) || fail "the server does not answer /ready within $within seconds"
        sleep 0.1
    done
}

stop_server() {
    local deadline=$((SECONDS + stop_within))
    [[ -n $server ]] || return 0
    kill -TERM "$server" 2>/dev/null || true
    while kill -0 "$server" 2>/dev/null && ((SECONDS < deadline)); do sleep 0.1; done
    kill -KILL "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
}
