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
        self.init(id: "", productID: "", jws: jws)
        guard let simulated else { return nil }
        id = simulated.transactionId
        productID = simulated.productId
        environment = simulated.environment
    }

    /// When it was refunded or revoked, in milliseconds since 1970; `nil` if it stands.
    var simulatedRevocation: Int? { simulated?.revocationDate }

    private var simulated: Payload? {
        payload.flatMap { try? JSONDecoder().decode(Payload.self, from: $0) }
    }
}
