public import Foundation
public import InAppPurchase

/// A circuit breaker for each environment of one API of a store: an outage of one says nothing about the other.
public struct CircuitBreakers: Sendable {
    /// The breaker of the production endpoint.
    public let production: CircuitBreaker
    /// The breaker of the sandbox endpoint.
    public let sandbox: CircuitBreaker

    /// - Parameters:
    ///   - interface: the API's name in the operator's log, such as `verifyReceipt`.
    ///   - onClose: called when either closes, as in ``CircuitBreaker/init(_:onClose:)``.
    public init(_ interface: String, onClose: @escaping @Sendable (Date) -> Void = { _ in }) {
        production = CircuitBreaker("\(interface) Production", onClose: onClose)
        sandbox = CircuitBreaker("\(interface) Sandbox", onClose: onClose)
    }

    /// The breaker of an environment; ``sandbox`` for any but Production.
    public subscript(environment: Environment) -> CircuitBreaker {
        environment == .production ? production : sandbox
    }
}
