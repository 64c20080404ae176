-- Sends each receipt of a file once, over all connections, and looks at every answer; when the last is answered, prints
-- one line of JSON. Arguments: the file, with a token, a TAB and a receipt in each line; what every answer has to
-- contain.

local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds, nanoseconds; } timespec_t; int clock_gettime(int clock, timespec_t *time);")
local MONOTONIC = 1

local function now()
    local time = ffi.new("timespec_t")
    ffi.C.clock_gettime(MONOTONIC, time)
    return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

local function finish(wrong)
    io.write(string.format(
        '{"requests": %d, "bytes": 0, "seconds": %.6f, "errors": {"answer": %d}}\n', answered, now() - began, wrong))
    os.exit(wrong == 0 and 0 or 1)
end

function init(arguments)
    expected = arguments[2]
    requests, turn, answered, began = {}, -1, 0, nil
    for line in io.lines(arguments[1]) do
        local token, receipt = line:match("^(%S+)\t(%S+)$")
        local headers = {
            Host = wrk.headers.Host, Authorization = "Bearer " .. token, ["Content-Type"] = "application/json",
        }
        table.insert(requests, wrk.format("POST", nil, headers, '{"receipt": "' .. receipt .. '"}'))
    end
end

-- wrk calls this once before it sends anything, to see what a request looks like.
function request()
    turn = turn + 1
    if turn == 0 then return requests[1] end
    began = began or now()
    return requests[turn] or "" -- A connection with nothing left to send waits.
end

function response(status, headers, body)
    answered = answered + 1
    if status ~= 200 or not body:find(expected, 1, true) then
        io.stderr:write(status, " ", body, "\n")
        finish(1)
    end
    if answered == #requests then finish(0) end
end

-- Here the time was over before.
function done()
    io.write('{"requests": 0, "bytes": 0, "seconds": 1, "errors": {"unanswered": 1}}\n')
end
