import Foundation
import HTTPTypes
import Hummingbird
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer

/// docs/openapi.yaml describes every route of the server, and no other, and is what the server serves.
@Suite struct OpenAPIParityTests {
    @Test func `The description of the API has every route and no other`() async throws {
        let described = OpenAPIOperations.described(in: try OpenAPIOperations.text(of: "docs/openapi.yaml"))
        try await World.run { world in
            let routes = OpenAPIOperations.routed(
                world.assembly.routes.main.router.routes.map { ($0.method.rawValue, $0.path.description) })
            #expect(routes.subtracting(described).sorted() == [], "not described in docs/openapi.yaml")
            #expect(described.subtracting(routes).sorted() == [], "described in docs/openapi.yaml, and no route")
        }
    }

    @Test func `The server serves its description`() async throws {
        let text = try OpenAPIOperations.text(of: "docs/openapi.yaml")
        try await World.run { world in
            let answer = try await world.call(.get, "/openapi.yaml")
            #expect(answer.status == 200 && answer.bytes == Data(text.utf8))
            #expect(answer.headers[.contentType] == "application/yaml")
            #expect(answer.headers[.cacheControl] == "no-cache")
            let other = try await world.call(.get, "/openapi.yaml", headers: [.ifMatch: "\"other\""])
            #expect(other.status == 412 && other.bytes.isEmpty && other.headers[.eTag] == answer.headers[.eTag])
        }
    }
}
