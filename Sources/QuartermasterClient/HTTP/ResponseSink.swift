import Foundation

/// A receiver of an answer as it arrives. It is called by one exchange, by one thread at a time.
protocol ResponseSink: AnyObject, Sendable {
    /// Receives the head. An error thrown here ends the exchange.
    func begin(_ head: HTTPHead) throws
    /// Receives the next bytes of the body. An error thrown here ends the exchange.
    func append(_ bytes: Data) throws
}
