import Foundation

extension SignedTransaction {
    private struct Payload: Decodable {
        var transactionId: String
        var productId: String
        var environment: StoreEnvironment?
        var revocationDate: Int?
    }

    /// A transaction as the simulator signed it. `nil` if the string is none.
    init?(simulated jws: String) {
        guard let payload = Self.simulated(jws) else { return nil }
        self.init(id: payload.transactionId, productID: payload.productId, jws: jws, environment: payload.environment)
    }

    /// When it was refunded or revoked, in milliseconds since 1970; `nil` if it stands.
    var simulatedRevocation: Int? { Self.simulated(jws)?.revocationDate }

    private static func simulated(_ jws: String) -> Payload? {
        payload(of: jws).flatMap { try? JSONDecoder().decode(Payload.self, from: $0) }
    }
}
