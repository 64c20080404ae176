import Foundation
import HTTPTypes
import HummingbirdTesting
import InAppPurchase
import NIOCore
import TestSupport
import Testing

@testable import AppStoreSimulator

/// Wrong requests, to every operation to which they can be made.
@Suite struct MistakenRequestTests {
    typealias Operation = (method: HTTPRequest.Method, path: String)

    /// The acts with a body, each with a correct one.
    static let acts: [(path: String, body: JSONValue)] = [
        ("subscriptions/{id}/renew", [:]), ("subscriptions/{id}/expire", [:]),
        ("subscriptions/{id}/upgrade", ["productID": "gold"]),
        ("subscriptions/{id}/downgrade", ["productID": "gold"]),
        ("subscriptions/{id}/crossgrade", ["productID": "gold"]), ("subscriptions/{id}/resubscribe", [:]),
        ("subscriptions/{id}/price-increase", [:]), ("subscriptions/{id}/extend", ["days": 1]),
        ("subscriptions/{id}/redeem-offer", ["offerType": 3]), ("transactions/{id}/refund", [:]),
        ("transactions/{id}/consumption-request", [:]), ("subscriptions/{id}/grace", [:]),
        ("subscriptions/{id}/billing-retry", [:]), ("subscriptions/{id}/plan", ["acts": .array([])]),
        ("transactions/{id}/restore", [:]), ("transactions/{id}/share", ["customer": "bert"]),
        ("subscriptions/{id}/add-seats", ["quantity": 1]), ("subscriptions/{id}/renewal-seats", ["quantity": 1]),
        (
            "subscriptions/{id}/unclaim-seats",
            ["seatClaimIDs": .array(["0a1b2c3d-0000-4000-8000-0123456789ab"])]
        ),
    ]

    static let actsWithoutBody = [
        "subscriptions/{id}/grace-period-expired", "subscriptions/{id}/revoke",
        "subscriptions/{id}/cancel", "subscriptions/{id}/reenable", "transactions/{id}/refund-reversed",
        "transactions/{id}/refund-declined", "purchases/{id}/decline", "transactions/{id}/revoke",
        "transactions/{id}/finish",
    ]

    static let settings: [Operation] = [
        (.post, "clock"), (.post, "faults"), (.put, "notification-url"), (.post, "notification-faults"),
        (.put, "products"),
    ]

    /// Those of Apple's calls that name a transaction, with a correct body.
    static let calls: [(operation: Operation, body: JSONValue?)] = [
        ((.get, "v1/transactions/{id}"), nil), ((.get, "v1/transactions/appTransactions/{id}"), nil),
        (
            (.put, "v1/transactions/{id}/appAccountToken"),
            ["appAccountToken": "0a1b2c3d-0000-4000-8000-0123456789ab"]
        ),
        ((.post, "v1/transactions/{id}/finish"), nil), ((.put, "v1/transactions/consumption/{id}"), [:]),
        ((.put, "v2/transactions/consumption/{id}"), [:]), ((.get, "v1/history/{id}"), nil),
        ((.get, "v2/history/{id}"), nil), ((.get, "v1/subscriptions/{id}"), nil),
        (
            (.put, "v1/subscriptions/extend/{id}"),
            ["extendByDays": 1, "extendReasonCode": 1, "requestIdentifier": "one"]
        ),
        ((.get, "v1/refund/lookup/{id}"), nil), ((.get, "v2/refund/lookup/{id}"), nil),
    ]

    /// Every operation of the description, with something in place of its parameters.
    private static func operations() throws -> [Operation] {
        let described = OpenAPIOperations.described(in: try OpenAPIOperations.text(of: "docs/openapi-simulator.yaml"))
        return try described.sorted().map { operation in
            let parts = operation.split(separator: " ")
            let path = String(try #require(parts.last)).replacing("{store}", with: "production")
                .replacing(#/\{\w+\}/#, with: "1")
            return (try #require(HTTPRequest.Method(rawValue: String(parts[0]))), path)
        }
    }

    private static func expect(_ answer: Shop.Answer, _ status: HTTPResponse.Status, _ code: String, _ what: String) {
        #expect(answer.status == status && answer.json["code"].text == code, "\(what): \(answer)")
    }

    @Test func `A request from a page of another site is refused by every operation`() async throws {
        let host = try #require(HTTPField.Name("Host"))
        try await Shop.open(over: .ahc(.http)) { shop in
            for (method, path) in try Self.operations() {
                let what = "\(method) \(path)"
                let rebound = try await shop.send(method, path, headers: [host: "shop.example"], nil)
                Self.expect(rebound, .forbidden, "foreign_host", what)
                let page = try await shop.send(method, path, headers: [.origin: "https://shop.example"], nil)
                Self.expect(page, .forbidden, "foreign_origin", what)
            }
        }
    }

    /// A client that reuses a connection which the server is closing waits for an answer that does not come.
    @Test func `The last answer on a connection announces its end`() async throws {
        try await Shop.open { shop in
            for path in ["/simulator/v1/products?bundleID=\(Shop.app)", "/simulator/v1/nowhere"] {
                let last = try await shop.send(.get, path, headers: [.connection: "close"], nil)
                #expect(last.headers[.connection] == "close", "\(path)")
                #expect(try await shop.send(.get, path).headers[.connection] == nil, "\(path)")
            }
        }
    }

    @Test func `No call to the App Store is answered without a token`() async throws {
        try await Shop.open { shop in
            for (method, path) in try Self.operations() where path.contains("/inApps/") {
                let answer = try await shop.send(method, path)
                #expect(answer.status == .unauthorized && answer.body.isEmpty, "\(method) \(path)")
            }
        }
    }

    @Test func `An act with a malformed body is refused`() async throws {
        try await Shop.open { shop in
            let id = try await shop.buy("auto-renewable")["transactionID"].text
            let acts: [Operation] = Self.acts.map { (.post, $0.path.replacing("{id}", with: id)) }
            for (method, path) in acts + Self.settings {
                for (body, status, code) in [
                    ("{", HTTPResponse.Status.badRequest, "invalid_request"),
                    ("[]", .unprocessableContent, "invalid_request"),
                    (String(repeating: " ", count: SimulatorLimits.body + 1), .contentTooLarge, "too_large"),
                ] {
                    let answer = try await shop.send(method, "/simulator/v1/\(path)", body: Data(body.utf8))
                    Self.expect(answer, status, code, "\(method) \(path) \(body.prefix(5))")
                    guard status == .badRequest else { continue }
                    #expect(answer.json["detail"].text == "not JSON (RFC 8259), at byte 1", "\(method) \(path)")
                }
            }
        }
    }

    @Test func `An act on an unknown purchase is not found`() async throws {
        try await Shop.open { shop in
            for (path, body) in Self.acts + Self.actsWithoutBody.map({ ($0, [:]) }) {
                let answer = try await shop.send(.post, "/simulator/v1/" + path.replacing("{id}", with: "7"), body)
                Self.expect(answer, .notFound, "not_found", path)
            }
            for path in ["/simulator/v1/transactions/7/consumption", "/simulator/v1/notification-url"] {
                Self.expect(try await shop.send(.get, path), .notFound, "not_found", path)
            }
            for path in ["/nowhere/verifyReceipt", "/nowhere/inApps/v1/subscriptions/extend/mass"] {
                Self.expect(try await shop.send(.post, path, [:]), .notFound, "not_found", path)
            }
        }
    }

    @Test func `A purchase that is not shared with the family cannot be revoked`() async throws {
        try await Shop.open { shop in
            let id = try await shop.buy("non-consumable")["transactionID"].text
            let answer = try await shop.send(.post, "/simulator/v1/transactions/\(id)/revoke")
            Self.expect(answer, .conflict, "not_family_shared", "revoke")
        }
    }

    @Test func `Wrong query parameters are refused`() async throws {
        try await Shop.open { shop in
            for (method, path) in [
                (HTTPRequest.Method.get, "notification-url?environment=Xcode"),
                (.delete, "notification-url?environment=Xcode"), (.get, "api-key"), (.get, "api-key?bundleID="),
            ] {
                let answer = try await shop.send(method, "/simulator/v1/\(path)")
                Self.expect(answer, .unprocessableContent, "invalid_request", path)
            }
        }
    }

    /// Apple's codes, whose first three digits are the status.
    @Test func `A call with an unknown or malformed transaction ID has the error code of Apple`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            for ((method, path), body) in Self.calls {
                let unknown = try await caller.code(method, path.replacing("{id}", with: "7"), body)
                #expect(unknown / 10_000 == 404 && unknown > 4_040_000, "\(method) \(path): \(unknown)")
                let malformed = try await caller.code(method, path.replacing("{id}", with: "x"), body)
                #expect(malformed / 10_000 == 400 && malformed > 4_000_000, "\(method) \(path): \(malformed)")
            }
        }
    }

    @Test func `The bodies of calls have a maximum size`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let long = ByteBuffer(repeating: UInt8(ascii: " "), count: SimulatorLimits.body + 1)
            let calls = Self.calls.filter { $0.body != nil }.map(\.operation)
            for (method, path) in calls
                + [(.post, "v1/notifications/history"), (.post, "v1/subscriptions/extend/mass")]
            {
                let answer = try await caller.send(method, path.replacing("{id}", with: "7"), bytes: long)
                Self.expect(answer, .contentTooLarge, "too_large", path)
            }
        }
    }
}
