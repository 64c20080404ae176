-- Ends a run of wrk with one line of JSON. A script that has another way to ask loads this one too.

function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        '{"requests": %d, "bytes": %d, "seconds": %.6f, "errors": {"connect": %d, "read": %d, "write": %d, ' ..
        '"status": %d, "timeout": %d}}\n',
        summary.requests, summary.bytes, summary.duration / 1e6, errors.connect, errors.read, errors.write,
        errors.status, errors.timeout))
end
