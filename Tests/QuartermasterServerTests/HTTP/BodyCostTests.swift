import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore
import TestSupport
import Testing

@testable import QuartermasterServer

/// No body costs more than reading it: whatever it contains, the scan ends at a limit before anything is decoded.
@Suite(.serialized) struct BodyCostTests {
    /// The use of a body by each route that is not for reading: the kind that it decodes, nothing, or writing it to a
    /// file. A new route needs a row here.
    static let table: [String: String] = [
        "POST /v1/accounts": "AccountRequestBody",
        "POST /v1/apps/{bundleID}/unavailable-products": "UnavailableProductsBody",
        "POST /v1/sessions": "SessionRequestBody",
        "POST /v1/notifications/app-store": "NotificationBody",
        "DELETE /v1/sessions/current": "-",
        "PUT /v1/accounts/current/consumption-consent": "ConsentBody",
        "POST /v1/apps/{bundleID}/offer-signatures": "OfferSignatureRequestBody",
        "POST /v1/balances/{currency}/spend": "SpendRequestBody",
        "POST /v1/receipts": "PostBody",
        "POST /v1/restore": "RestoreBody",
        "POST /v1/deliveries/{id}/confirm": "ConfirmationBody",
        "PUT /admin/v1/apps/{bundleID}": "AppEntry",
        "DELETE /admin/v1/apps/{bundleID}": "-",
        "POST /admin/v1/apps/{bundleID}/test-notification": "ReasonBody",
        "PUT /admin/v1/apps/{bundleID}/products/{id}": "ProductEntry",
        "DELETE /admin/v1/apps/{bundleID}/products/{id}": "-",
        "POST /admin/v1/accounts/{account}/credits": "AdjustmentRequestBody",
        "POST /admin/v1/accounts/{account}/grants": "GrantRequestBody",
        "DELETE /admin/v1/accounts/{account}/grants/{grant}": "ReasonBody",
        "POST /admin/v1/accounts/{account}/block": "ReasonBody",
        "POST /admin/v1/accounts/{account}/unblock": "ReasonBody",
        "POST /admin/v1/accounts/{account}/sessions/revoke": "ReasonBody",
        "PUT /admin/v1/accounts/{account}/tester": "ReasonBody",
        "DELETE /admin/v1/accounts/{account}/tester": "ReasonBody",
        "PUT /admin/v1/accounts/{account}/beta": "ReasonBody",
        "DELETE /admin/v1/accounts/{account}/beta": "ReasonBody",
        "POST /admin/v1/accounts/{account}/sandbox-reset": "SandboxResetRequestBody",
        "POST /admin/v1/bundles/{name}/versions": "DraftBody",
        "DELETE /admin/v1/bundles/{name}/versions/{version}": "-",
        "POST /admin/v1/bundles/{name}/versions/{version}/publish": "-",
        "POST /admin/v1/bundles/{name}/versions/{version}/yank": "-",
        "POST /admin/v1/bundles/{name}/versions/{version}/promote": "-",
        "POST /admin/v1/bundles/{name}/versions/{version}/restore": "-",
        "PATCH /admin/v1/content/{sha256}": "file",
        "PUT /admin/v1/content/{sha256}": "file",
        "POST /admin/v1/lines/{environment}/{originalID}/move": "TransferRequestBody",
        "POST /admin/v1/original-transactions/{environment}/{originalID}/transfer": "TransferRequestBody",
        "POST /admin/v1/original-transactions/{environment}/{originalID}/transfer/undo": "UndoRequestBody",
        "POST /admin/v1/original-transactions/{environment}/{originalID}/extend": "ExtensionRequestBody",
        "POST /admin/v1/accounts/{account}/recovery-code": "ReasonBody",
        "POST /admin/v1/receipts/{receipt}/retry": "ReasonBody",
    ]

    @Test func `Every route has a row for the body that it reads`() async throws {
        try await World.run { world in
            let routes = world.assembly.routes.router.routes
                .filter { $0.method != .get && $0.method != .head }.map { "\($0.method) \($0.path)" }
            #expect(Set(routes) == Set(Self.table.keys))
        }
        let kinds = Kind.all.map(\.name)
        #expect(Set(kinds) == Set(Self.table.values).subtracting(["-", "file"]) && Set(kinds).count == kinds.count)
    }

    /// A kind of body, by the code that a route reads it with.
    struct Kind: Sendable {
        var name: String
        var maximumBytes: Int
        var read: @Sendable (Data) throws -> Void

        static let all: [Kind] =
            RequestBodies.all.map { of($0) } + [
                Kind(name: "NotificationBody", maximumBytes: BodyLimits.notification.maximumBytes) {
                    _ = try NotificationBody($0)
                },
                Kind(name: "ProductEntry", maximumBytes: BodyLimits.product.maximumBytes) {
                    _ = try ProductEntry($0, id: "x", bundles: [], handlers: Server.standardHandlers)
                },
                Kind(name: "AppEntry", maximumBytes: BodyLimits.app.maximumBytes) {
                    _ = try AppEntry($0, id: "x", bundles: [], handlers: Server.standardHandlers)
                },
            ]

        private static func of<Body: QuartermasterServer.RequestBody>(_ type: Body.Type) -> Kind {
            Kind(name: "\(type)", maximumBytes: Body.limits.maximumBytes) {
                _ = try JSONCoding.decode(type, from: ByteBuffer(bytes: $0))
            }
        }
    }

    struct Hostile: Sendable {
        var name: String
        var make: @Sendable (_ size: Int) -> Data

        init(_ name: String, _ make: @escaping @Sendable (_ size: Int) -> Data) {
            self.name = name
            self.make = make
        }
    }

    /// Bodies as large as the route accepts them, each with how it begins.
    static let hostile: [Hostile] = [
        Hostile("500 deep") { size in
            filled(size, String(repeating: "[", count: 500) + String(repeating: "]", count: 500))
        },
        Hostile("objects 500 deep") { size in
            filled(size, String(repeating: "{\"a\":", count: 500) + "1" + String(repeating: "}", count: 500))
        },
        Hostile("deepest that is read") { size in
            filled(size, String(repeating: "[", count: 30) + String(repeating: "]", count: 30))
        },
        Hostile("a million elements") { size in filled(size, "0") },
        Hostile("a million empty arrays") { size in filled(size, "[]") },
        Hostile("a million members") { size in
            var text = Data("{\"a\":{".utf8)
            for number in 0..<1_000_000 where text.count < size - 32 { text += Data("\"\(number)\":0,".utf8) }
            return text + Data("\"b\":0}}".utf8)
        },
        Hostile("a number without end") { size in
            Data("{\"a\":".utf8) + Data(repeating: 0x31, count: size - 6) + Data("}".utf8)
        },
        Hostile("one long text") { size in
            Data("{\"a\":\"".utf8) + Data(repeating: 0x61, count: size - 8) + Data("\"}".utf8)
        },
        Hostile("one long text of escapes") { size in
            Data("{\"a\":\"".utf8) + Data(repeating: 0x5C, count: (size - 8) / 2 * 2) + Data("\"}".utf8)
        },
        Hostile("the same in the member that is read") { size in
            Data("{\"receipt\":\"".utf8) + Data(repeating: 0x5C, count: (size - 16) / 2 * 2) + Data("\"}".utf8)
        },
    ]

    private static func filled(_ size: Int, _ piece: String) -> Data {
        let piece = Data("\(piece),".utf8)
        var text = Data("{\"metadata\":[".utf8)
        while text.count + piece.count < size - 8 { text += piece }
        return text + Data("0]}".utf8)
    }

    /// Without optimisation the work takes up to forty times as long as in the server that is released, which
    /// scripts/check_bodies.py measures.
    private static let bound = Duration.milliseconds(2_000)

    @Test(arguments: Kind.all.map(\.name)) func `Reading a hostile body costs little time`(kind name: String) throws {
        let kind = try #require(Kind.all.first { $0.name == name })
        for hostile in Self.hostile {
            let body = hostile.make(kind.maximumBytes)
            #expect(body.count <= kind.maximumBytes)
            let times = (1...3).map { _ in Self.processorTime { try? kind.read(body) } }
            let best = try #require(times.min())
            #expect(best < Self.bound, "\(name), \(hostile.name): \(best)")
        }
    }

    /// The calling thread's processor time.
    private static func processorTime(of work: () -> Void) -> Duration {
        func now() -> Duration {
            // Its members belong to a module that differs from system to system.
            let time = UnsafeMutablePointer<timespec>.allocate(capacity: 1)
            defer { time.deallocate() }
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, time)
            let (seconds, nanoseconds) = UnsafeRawPointer(time).load(as: (Int, Int).self)
            return .seconds(seconds) + .nanoseconds(nanoseconds)
        }
        let start = now()
        work()
        return now() - start
    }

    /// The complete exchange, at the limit of each route: refused before anything is decoded or done.
    @Test func `Every route refuses hostile bodies before it decodes them`() async throws {
        try await World.run(environment: ["QUARTERMASTER_LIMITS_RECEIPTS_PER_MINUTE": "off"]) { world in
            let (player, admin) = (try await world.newPlayer(), try await world.newAdmin())
            for (route, name) in Self.table.sorted(by: { $0.key < $1.key }) {
                guard let kind = Kind.all.first(where: { $0.name == name }) else { continue }
                let parts = route.split(separator: " ")
                let method = try #require(HTTPRequest.Method(String(parts[0])))
                let path = Self.path(String(parts[1]), of: player)
                for hostile in Self.hostile.prefix(5) where hostile.name != "deepest that is read" {
                    let answer = try await world.send(
                        method, path, ByteBuffer(bytes: hostile.make(kind.maximumBytes)),
                        as: path.hasPrefix("/admin") ? admin : player, headers: .key("k"))
                    let isNotification = name == "NotificationBody"
                    #expect(answer.status == (isNotification ? 422 : 400), "\(route), \(hostile.name): \(answer)")
                    let detail = answer.json["detail"].text ?? ""
                    let isOfTheScan = detail.contains("JSON nested deeper") || detail.contains("JSON with more")
                    #expect(isNotification || isOfTheScan, "\(route), \(hostile.name): \(answer)")
                }
            }
        }
    }

    private static func path(_ route: String, of player: Player) -> String {
        let parts = [
            "{bundleID}": World.app, "{id}": "x", "{name}": "hard-words", "{currency}": "hints", "{version}": "9.0.0",
            "{sha256}": String(repeating: "0", count: 64), "{account}": player.account, "{environment}": "Production",
            "{originalID}": "1",
        ]
        return parts.reduce(route) { $0.replacing($1.key, with: $1.value) }
    }

    @Test func `Large bodies have threads of their own and a limited queue`() async throws {
        let bodies = LargeBodies(threads: 1, maximumWaiting: 2)
        let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let large = LargeBodies.minimumBytes + 1
        try await withThrowingTaskGroup(of: Bool.self) { group in
            // One holds the only thread and one waits for it: not on the threads that everybody shares, which stay
            // free.
            for _ in 1...2 {
                group.addTask {
                    try await bodies.run(bytes: large) {
                        isHeld.signal()
                        gate.wait()
                        return Thread.current.name?.hasPrefix("TP-") == true
                    }
                }
            }
            try await poll("two are in") { bodies.count == 2 }
            let problem = await #expect(throws: Problem.self) { try await bodies.run(bytes: large) { true } }
            #expect(problem?.code == "busy" && problem?.status == .serviceUnavailable && problem?.retryAfter != nil)
            #expect(try await bodies.run(bytes: LargeBodies.minimumBytes) { true })
            gate.signal()
            gate.signal()
            for try await isOnOwnThread in group { #expect(isOnOwnThread) }
        }
        #expect(bodies.count == 0)
        #expect(try await bodies.run(bytes: large) { true })
    }
}
