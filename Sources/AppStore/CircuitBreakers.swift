public import Foundation
public import InAppPurchase

/// One breaker for each of the store's two endpoints of one interface: trouble of one says nothing about the other.
public struct CircuitBreakers: Sendable {
    public let production: CircuitBreaker
    public let sandbox: CircuitBreaker

    /// - Parameters:
    ///   - interface: for the operator's log: `verifyReceipt`.
    ///   - onClose: as in ``CircuitBreaker/init(_:onClose:)``, of either.
    public init(_ interface: String, onClose: @escaping @Sendable (Date) -> Void = { _ in }) {
        production = CircuitBreaker("\(interface) Production", onClose: onClose)
        sandbox = CircuitBreaker("\(interface) Sandbox", onClose: onClose)
    }

    public subscript(environment: Environment) -> CircuitBreaker {
        environment == .production ? production : sandbox
    }
}
