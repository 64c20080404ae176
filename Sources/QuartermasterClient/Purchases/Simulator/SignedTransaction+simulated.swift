import Foundation

extension SignedTransaction {
    private struct Payload: Decodable {
        var transactionId: String
        var productId: String
        var environment: StoreEnvironment?
        var revocationDate: Int?
    }

    /// A transaction as the simulator signed it. `nil` if the text is none.
    init?(simulated jws: String) {
        guard let payload = Self.payload(of: jws) else { return nil }
        self.init(id: payload.transactionId, productID: payload.productId, jws: jws, environment: payload.environment)
    }

    /// When it was refunded or revoked, in milliseconds since 1970; `nil` if it stands.
    var simulatedRevocation: Int? { Self.payload(of: jws)?.revocationDate }

    private static func payload(of jws: String) -> Payload? {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text).flatMap { try? JSONDecoder().decode(Payload.self, from: $0) }
    }
}
