/// There was no whole answer: whether the server did what was asked is not known.
enum ConnectionError: Error, Equatable {
    /// No connection, or it broke.
    case unreachable
    /// The server sent nothing for ``HTTPRequest/idleTimeout``, or not all by ``HTTPRequest/deadline``.
    case timedOut
    /// The answer is larger than the limit.
    case tooLarge
    /// A request with a secret was redirected.
    case redirected
}
