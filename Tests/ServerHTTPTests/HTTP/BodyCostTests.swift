import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// No body costs more than reading it: whatever it contains, the scan ends at a limit before anything is decoded.
@Suite(.serialized) struct BodyCostTests {
    /// The body of a route, by the code that the route reads it with.
    struct Body: Sendable {
        var route: RouteTable.Route
        var maximumBytes: Int
        var read: @Sendable (Data) throws -> Void

        init(_ route: RouteTable.Route, _ maximumBytes: Int, _ read: @escaping @Sendable (Data) throws -> Void) {
            self.route = route
            self.maximumBytes = maximumBytes
            self.read = read
        }

        /// Those of all routes, as the routes state them.
        static func all(of world: World) throws -> [Body] {
            try world.assembly.routes.main.table.routes.compactMap { route in
                switch route.facts.body {
                case .none, .parts: nil
                case .json(let type): of(type, route)
                case .whole(let limits):
                    Body(route, limits.maximumBytes, try #require(whole[route.facts.operation ?? ""]))
                }
            }
        }

        /// The code that reads a whole body, by the operation; a new one needs a row here.
        private static let whole: [String: @Sendable (Data) throws -> Void] = [
            "receiveNotification": { _ = try NotificationBody($0) },
            "putProduct": { _ = try ProductEntry($0, id: "x", bundles: [], handlers: Server.standardHandlers) },
            "putApp": { _ = try AppEntry($0, id: "x", bundles: [], handlers: Server.standardHandlers) },
        ]

        private static func of<JSON: JSONRequestBody>(_ type: JSON.Type, _ route: RouteTable.Route)
            -> Body
        {
            Body(route, JSON.limits.maximumBytes) { _ = try JSONCoding.decode(type, from: ByteBuffer(bytes: $0)) }
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

    @Test(arguments: hostile.map(\.name)) func `Reading a hostile body costs little time`(name: String) async throws {
        let hostile = try #require(Self.hostile.first { $0.name == name })
        try await World.run { world in
            for kind in try Body.all(of: world) {
                let body = hostile.make(kind.maximumBytes)
                #expect(body.count <= kind.maximumBytes)
                let times = (1...3).map { _ in Self.processorTime { try? kind.read(body) } }
                let best = try #require(times.min())
                #expect(best < Self.bound, "\(kind.route.template), \(name): \(best)")
            }
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
            for kind in try Body.all(of: world) {
                let (route, path) = (kind.route, Self.path(kind.route.template, of: player))
                for hostile in Self.hostile.prefix(5) where hostile.name != "deepest that is read" {
                    let answer = try await world.send(
                        route.method, path, ByteBuffer(bytes: hostile.make(kind.maximumBytes)),
                        as: path.hasPrefix("/admin") ? admin : player, headers: .key("k"))
                    let isNotification = route.facts.operation == "receiveNotification"
                    #expect(
                        answer.status == (isNotification ? 422 : 400), "\(route.template), \(hostile.name): \(answer)")
                    let detail = answer.json["detail"].text ?? ""
                    let isOfTheScan = detail.contains("JSON nested deeper") || detail.contains("JSON with more")
                    #expect(isNotification || isOfTheScan, "\(route.template), \(hostile.name): \(answer)")
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
