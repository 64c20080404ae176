/// An exchange without a complete answer. Except after ``notConnected``, it is not known whether the server did what
/// was asked.
public enum ConnectionError: Error, Sendable, Equatable {
    /// There was no connection: nothing was sent.
    case notConnected
    /// The connection broke.
    case unreachable
    /// The server sent nothing for 20 seconds, or not all by the deadline.
    case timedOut
    /// The answer is larger than the limit.
    case tooLarge
    /// A request with a secret was redirected.
    case redirected
}
