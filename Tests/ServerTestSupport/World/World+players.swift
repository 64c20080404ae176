import AsyncHTTPClient
import Foundation
package import HTTPTypes
package import InAppPurchase
package import NIOCore
import NIOHTTP1
import ServerHTTP
import TestSupport
import Testing

/// A player's device.
package struct Player {
    package var account: String
    package var token: String
    package var recoveryCode: String

    package init(account: String, token: String, recoveryCode: String) {
        self.account = account
        self.token = token
        self.recoveryCode = recoveryCode
    }
}

/// The answer of the simulated App Store to a purchase.
package struct Bought {
    package var transactionID: String
    package var originalID: String
    package var signedTransaction: String
    package var appReceipt: String
    package var transactionReceipt: String
}

extension HTTPFields {
    package static func key(_ idempotencyKey: String) -> HTTPFields {
        var fields = HTTPFields()
        if let name = HTTPField.Name("Idempotency-Key") { fields[name] = idempotencyKey }
        return fields
    }
}

extension World {
    /// Members of an order with test money.
    package static let inSandbox: [String: JSONValue] = ["environment": "Sandbox"]

    package func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil, as player: Player? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        let bytes = try body.map { ByteBuffer(bytes: try JSONEncoder().encode($0)) }
        return try await send(method, path, bytes, as: player, headers: headers)
    }

    package func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: ByteBuffer?, as player: Player? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if let player { headers[.authorization] = "Bearer \(player.token)" }
        let answer = try await PatientClient(port: port).execute(
            uri: path, method: method, headers: headers, body: body
        ) { response in
            Answer(
                status: response.status.code, headers: response.headers, bytes: Data(response.body.readableBytesView))
        }
        try ExchangeRecorder.record(method, path, headers, body, answer)
        return answer
    }

    package func newPlayer() async throws -> Player {
        let answer = try await call(.post, "/v1/accounts")
        #expect(answer.status == 201)
        return Player(
            account: try #require(answer.json["account"].text), token: try #require(answer.json["accessToken"].text),
            recoveryCode: try #require(answer.json["recoveryCode"].text))
    }

    /// The same player on another device.
    package func secondDevice(of player: Player) async throws -> Player {
        let answer = try await call(.post, "/v1/sessions", ["recoveryCode": .string(player.recoveryCode)])
        #expect(answer.status == 201 && answer.json["account"].text == player.account)
        var other = player
        other.token = try #require(answer.json["accessToken"].text)
        return other
    }

    package func post(_ receipt: String, as player: Player, bundleID: String? = nil) async throws -> Answer {
        var body: [String: JSONValue] = ["receipt": .string(receipt)]
        body["bundleID"] = bundleID.map { .string($0) }
        // A busy machine may take longer for the store's answer than a player waits: then it is sent again.
        for _ in 1..<5 {
            let start = ContinuousClock.now
            let answer = try await call(.post, "/v1/receipts", .object(body), as: player)
            guard answer.status == 202, start.duration(to: .now) >= Limits.firstAttempt else { return answer }
        }
        return try await call(.post, "/v1/receipts", .object(body), as: player)
    }

    package func entitlements(of player: Player, query: String = "") async throws -> JSONValue {
        let answer = try await call(.get, "/v1/entitlements" + query, as: player)
        #expect(answer.status == 200)
        return answer.json
    }

    /// The entitlement to one product, by its name within the app.
    package func entitlement(to product: String, of player: Player) async throws -> JSONValue {
        try await entitlements(of: player)["entitlements"].array
            .first { $0["product"].text == "\(World.app).\(product)" } ?? .null
    }

    // MARK: The simulated App Store

    package func act(_ path: String, _ body: JSONValue = [:]) async throws -> JSONValue {
        try await store.execute(
            uri: "/simulator/v1/" + path, method: .post, body: ByteBuffer(bytes: try JSONEncoder().encode(body))
        ) { response in
            #expect((200..<300).contains(response.status.code), "\(path): \(String(buffer: response.body))")
            let bytes = Data(response.body.readableBytesView)
            return bytes.isEmpty ? .null : try JSONDecoder().decode(JSONValue.self, from: bytes)
        }
    }

    /// Buys a product. A subscription does not renew by itself unless `more` says so.
    package func buy(_ product: String, _ type: String, _ more: [String: JSONValue] = [:]) async throws -> Bought {
        let order: [String: JSONValue] = [
            "bundleID": .string(World.app), "productID": .string("\(World.app).\(product)"), "type": .string(type),
            "renews": .bool(false),
        ]
        let answer = try await act("purchases", .object(order.merging(more) { $1 }))
        return Bought(
            transactionID: try #require(answer["transactionID"].text),
            originalID: try #require(answer["originalTransactionID"].text),
            signedTransaction: try #require(answer["signedTransaction"].text),
            appReceipt: try #require(answer["appReceipt"].text),
            transactionReceipt: try #require(answer["transactionReceipt"].text))
    }

    package func endFaults() async throws {
        try await store.execute(uri: "/simulator/v1/faults", method: .delete) { #expect($0.status.code < 300) }
    }
}
