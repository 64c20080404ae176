import Basics
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InAppPurchase
import NIOCore
import Testing

@testable import AppStoreSimulator

/// An app's server that calls the Server API.
struct Caller {
    let shop: Shop
    let key: APIKey
    var claims: [String: JSONValue]
    var header: [String: JSONValue]
    var environment = "production"

    /// - Parameter app: the app whose key it has.
    init(_ shop: Shop, app: String = Shop.app, environment: String = "production") async throws {
        let answer = try await shop.send(.get, "/simulator/v1/api-key?bundleID=\(app)")
        key = try JSONDecoder().decode(APIKey.self, from: answer.body)
        #expect(key == (try await shop.simulator.apiKey(for: BundleID(stored: app))))
        let now = shop.clock.now.timeIntervalSince1970
        claims = [
            "iss": .string(key.issuerID), "iat": .integer(Int(now)), "exp": .integer(Int(now) + 300),
            "aud": "appstoreconnect-v1", "bid": .string(app),
        ]
        header = ["alg": "ES256", "kid": .string(key.keyID), "typ": "JWT"]
        self.shop = shop
        self.environment = environment
    }

    func token(signedWith pem: String? = nil) throws -> String {
        let parts = try [header, claims].map { try JSONEncoder().encode($0).base64URL }
        let signed = parts.joined(separator: ".")
        let signature = try P256.Signing.PrivateKey(pemRepresentation: pem ?? key.privateKey)
            .signature(for: Data(signed.utf8))
        return signed + "." + signature.rawRepresentation.base64URL
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ json: JSONValue? = nil, token: String? = nil
    ) async throws -> Shop.Answer {
        let body = try json.map { ByteBuffer(bytes: try JSONEncoder().encode($0)) }
        return try await send(method, path, bytes: body, token: token)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, bytes body: ByteBuffer?, token: String? = nil
    ) async throws -> Shop.Answer {
        try await shop.send(
            method, "/\(environment)/inApps/\(path)", headers: [.authorization: "Bearer \(try token ?? self.token())"],
            body)
    }

    func get(_ path: String) async throws -> JSONValue {
        let answer = try await send(.get, path)
        try #require(answer.status == .ok)
        return answer.json
    }

    /// The error code of a refused call, whose first three digits are the status.
    func code(_ method: HTTPRequest.Method, _ path: String, _ json: JSONValue? = nil) async throws -> Int {
        let answer = try await send(method, path, json)
        guard case .integer(let code) = answer.json["errorCode"] else { return answer.status.code }
        #expect(answer.status.code == code / 10_000)
        #expect(!answer.json["errorMessage"].text.isEmpty)
        return code
    }

    /// The IDs of signed transactions.
    static func ids(_ signed: JSONValue) throws -> [String] {
        try signed.elements.map { try SignedMessage.payload($0)["transactionId"].text }
    }
}
