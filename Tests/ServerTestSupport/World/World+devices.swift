package import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import ServerHTTP
import Testing

// What devices in players' hands have, and send.

extension World {
    /// The data that the simulated store signs now for a customer's device: `transactions`, or `receipt`.
    private func fetch(_ route: String, of customer: String, for device: UUID) async throws -> JSONValue {
        let path = "/simulator/v1/customers/\(customer)/\(route)?bundleID=\(Self.app)&device=\(device)"
        return try await store.execute(uri: path, method: .get) { response in
            try JSONDecoder().decode(JSONValue.self, from: Data(response.body.readableBytesView))
        }
    }

    /// The customer's newest signed transactions.
    package func transactions(of customer: String, for device: UUID) async throws -> [String] {
        try await fetch("transactions", of: customer, for: device)["transactions"].array.compactMap(\.text)
    }

    package func appReceipt(of customer: String, for device: UUID) async throws -> String {
        try #require(try await fetch("receipt", of: customer, for: device)["appReceipt"].text)
    }

    /// A signed transaction of now that belongs to no device.
    package func signAgain(_ transaction: String) async throws -> String {
        try #require(try await act("transactions/\(transaction)/refund-declined")["signedTransaction"].text)
    }

    /// Sends a receipt with what the device says about itself.
    package func send(
        _ receipt: String, as player: Player, from device: UUID? = nil, mayTransfer: Bool? = nil
    ) async throws -> Answer {
        var body: [String: JSONValue] = ["receipt": .string(receipt)]
        body["deviceVerificationID"] = device.map { .string($0.uuidString) }
        body["deviceIdentifier"] = device.map { .string($0.uuidString) }
        body["mayTransfer"] = mayTransfer.map { .bool($0) }
        return try await call(.post, "/v1/receipts", .object(body), as: player)
    }
}
