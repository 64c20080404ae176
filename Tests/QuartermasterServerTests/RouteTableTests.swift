import Foundation
import Hummingbird
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerHTTP

/// The facts that the routes state are true: of all routes, by walking the router.
@Suite struct RouteTableTests {
    @Test func `Every route states its facts, and no other`() async throws {
        try await World.run(environment: ["QUARTERMASTER_ADMIN_PAGES": "true"], hasSimulatorPages: true) { world in
            let (router, table) = world.assembly.routes.main
            #expect(table.routes.contains { $0.callers == .visitors })
            let stated = table.routes.map { "\($0.method) \($0.template)" }
            #expect(Set(stated).count == stated.count)
            #expect(stated.sorted() == router.routes.map { "\($0.method) \($0.path)" }.sorted())
        }
    }

    /// `operationId` and `security` of an operation, by method and path.
    private static func described() throws -> [String: (operation: String, security: String)] {
        var (path, method, operation) = ("", "", "")
        var described: [String: (String, String)] = [:]
        for line in try OpenAPIOperations.text(of: "docs/openapi.yaml").split(separator: "\n") {
            if let match = line.wholeMatch(of: #/  (/\S*):/#) { path = String(match.1) }
            if let match = line.wholeMatch(of: #/    ([a-z]+):/#) { method = match.1.uppercased() }
            if let match = line.wholeMatch(of: #/      operationId: (\w+)/#) { operation = String(match.1) }
            if let match = line.wholeMatch(of: #/      security: (.*)/#) {
                described["\(method) \(path)"] = (operation, String(match.1))
            }
        }
        return described
    }

    @Test func `Operation and callers are those of the description`() async throws {
        let described = try Self.described()
        try await World.run { world in
            let routes = world.assembly.routes.main.table.routes.filter { $0.callers != .visitors }
            #expect(routes.count > 70)
            for route in routes {
                let method = described["HEAD \(route.template)"] == nil && route.method == .head ? .get : route.method
                let entry = try #require(described["\(method) \(route.template)"], "\(route)")
                let security =
                    switch route.callers {
                    case .everybody, .visitors: ["[]"]
                    case .players: ["[{player: []}]"]
                    // AuthorizationTests tries which acts the role support may do.
                    case .administrators(mayChange: true): ["[{administrator: []}]", "[{administrator: [support]}]"]
                    case .administrators: ["[{administrator: []}]"]
                    }
                #expect(route.facts.operation == entry.operation, "\(route)")
                #expect(security.contains(entry.security), "\(route): \(entry.security)")
            }
        }
    }

    /// A route that reads a body and does not say so would read no large one in chunks, and no test would measure it.
    @Test func `Every kind of JSON body is stated by a route`() async throws {
        let files = try #require(
            FileManager.default.enumerator(atPath: Project.folder("Sources")))
        var declared: Set<String> = []
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(
                contentsOfFile: Project.folder("Sources/\(file)"), encoding: .utf8)
            declared.formUnion(text.matches(of: #/struct (\w+): JSONRequestBody\b/#).map { String($0.1) })
        }
        try await World.run { [declared] world in
            let stated = world.assembly.routes.main.table.routes.compactMap { route in
                if case .json(let type) = route.facts.body { "\(type)" } else { nil }
            }
            #expect(declared == Set(stated))
        }
    }

    @Test func `Routes of large bodies read chunks by themselves`() async throws {
        try await World.run { world in
            let routes = world.assembly.routes.main.table.routes.filter(\.facts.body.isLeftToRoute)
            #expect(
                Set(routes.compactMap(\.facts.operation)) == [
                    "sendReceipt", "restorePurchases", "receiveNotification", "putApp", "putProduct",
                    "draftBundleVersion", "putContent", "appendContent", "giveToAccounts",
                ])
        }
    }
}
