/// How long a transport waits for the answer to a request that does not say so itself.
struct HTTPTimeouts: Sendable {
    /// How long the server may send nothing.
    var idle = HTTPLimits.idleTimeout
    /// How long the whole exchange may take.
    var exchange = HTTPLimits.deadline
}
