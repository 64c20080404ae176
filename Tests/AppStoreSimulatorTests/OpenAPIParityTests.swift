import Foundation
import HTTPTypes
import Hummingbird
import Logging
import TestSupport
import Testing

@testable import AppStoreSimulator

/// docs/openapi-simulator.yaml describes every route of the simulator, and no other, and is what it serves.
@Suite struct OpenAPIParityTests {
    private static let file = "docs/openapi-simulator.yaml"

    @Test func `The description of the simulator has every route and no other`() async throws {
        let described = Set(
            OpenAPIOperations.described(in: try OpenAPIOperations.text(of: Self.file)).flatMap { operation in
                ["production", "sandbox"].map { operation.replacing("{store}", with: $0) }
            })
        try await Shop.open { shop in
            // The description gives all methods the answer of verifyReceipt, as Apple's does: 21000.
            let router = shop.simulator.router(shop.simulator.timeline(Logger(label: "test")), OwnHosts([]))
            let routes = OpenAPIOperations.routed(router.routes.map { ($0.method.rawValue, $0.path.description) })
                .filter { $0.hasPrefix("POST ") || !$0.hasSuffix("/verifyReceipt") }
            #expect(routes.subtracting(described).sorted() == [], "not described in \(Self.file)")
            #expect(described.subtracting(routes).sorted() == [], "described in \(Self.file), and no route")
        }
    }

    @Test func `The simulator serves its description`() async throws {
        let text = try OpenAPIOperations.text(of: Self.file)
        try await Shop.open { shop in
            let answer = try await shop.send(.get, "/simulator/openapi.yaml")
            #expect(answer.status == .ok && answer.body == Data(text.utf8))
            #expect(answer.headers[.contentType] == "application/yaml")
        }
    }

    /// A known path with another method is 405 with `Allow`; an unknown path is 404 (RFC 9110 §15.5.6).
    @Test(arguments: [
        (HTTPRequest.Method.put, "/simulator/v1/purchases", "POST" as String?),
        (.get, "/simulator/v1/faults", "DELETE, POST"),
        (.patch, "/production/inApps/v2/history/1", "GET"),
        (.delete, "/sandbox/inApps/v1/transactions/1", "GET"),
        (.get, "/simulator/v1/nowhere", nil), (.post, "/simulator/v1", nil),
    ])
    func `A wrong method of the simulator is answered with the allowed ones`(
        method: HTTPRequest.Method, path: String, allowed: String?
    ) async throws {
        try await Shop.open { shop in
            let answer = try await shop.send(method, path)
            #expect(answer.status == (allowed == nil ? .notFound : .methodNotAllowed))
            #expect(answer.headers[.allow] == allowed)
            #expect(answer.json["code"].text == (allowed == nil ? "not_found" : "method_not_allowed"))
        }
    }
}
