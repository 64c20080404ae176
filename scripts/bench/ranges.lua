-- Asks for parts of a file, each of the same length, all over it. Arguments: size, length.

dofile("report.lua")

function init(arguments)
    local size, length, parts = tonumber(arguments[1]), tonumber(arguments[2]), 64
    math.randomseed(1) -- The same parts in every round.
    requests, turn = {}, 0
    for part = 1, parts do
        local first = math.random(0, size - length)
        local headers = {Host = wrk.headers.Host, Range = string.format("bytes=%d-%d", first, first + length - 1)}
        requests[part] = wrk.format("GET", nil, headers)
    end
end

function request()
    turn = turn % #requests + 1
    return requests[turn]
end
