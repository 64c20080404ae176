import Foundation

/// A receiver of an answer as it comes. It is called by one exchange, by one thread at a time.
protocol ResponseSink: AnyObject, Sendable {
    /// Takes the head. What it throws ends the exchange.
    func begin(_ head: HTTPHead) throws
    /// Takes the next bytes of the body. What it throws ends the exchange.
    func append(_ bytes: Data) throws
}
