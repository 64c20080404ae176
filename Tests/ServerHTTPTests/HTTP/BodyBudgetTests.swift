import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Bodies in memory have a budget, for the process and for each address.
@Suite struct BodyBudgetTests {
    static let busy = ExpectedProblem(503, "busy")
    static let busyWithReceipts = ExpectedProblem(503, "busy")

    /// A budget whose time stands still until the test moves it on.
    private struct Budget {
        private final class Events: Sendable {
            let time = Mutex(NIODeadline.uptimeNanoseconds(1))
            let ended = Mutex<Set<Int>>([])
        }

        private let events: Events
        private let budget: BodyBudget

        init() {
            let events = Events()
            self.events = events
            budget = BodyBudget(refusals: ServerMetrics().bodiesRefused) { events.time.withLock { $0 } }
        }

        /// The numbers of the bodies that were ended.
        var ended: Set<Int> { events.ended.withLock { $0 } }
        var reservedBytes: Int { budget.reservedBytes }

        func advance(by amount: TimeAmount) { events.time.withLock { $0 = $0 + amount } }

        func begin(_ number: Int, address: Int) -> BodyAllowance {
            budget.begin(for: IPAddress("10.0.0.\(address)")) { [events] in
                _ = events.ended.withLock { $0.insert(number) }
            }
        }
    }

    /// Whatever is reserved and given back in whatever order, the limits are never exceeded, and nothing stays
    /// reserved.
    @Test(arguments: 0..<20 as Range<UInt64>) func `The budget for bodies is never exceeded`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let budget = Budget()
        var held: [Int: (allowance: BodyAllowance, address: Int, bytes: Int, isLarge: Bool)] = [:]
        var refused = 0
        for number in 0..<2_000 {
            let isLarge = Bool.random(using: &generator)
            let bytes = 1 << Int.random(in: isLarge ? 15...24 : 10...14, using: &generator)
            let address = Int.random(in: 0..<8, using: &generator)
            let allowance = budget.begin(number, address: address)
            do {
                try allowance.grow(to: bytes / 2, isLarge: isLarge)
                try allowance.grow(to: bytes, isLarge: isLarge)
                allowance.arrive(Int.random(in: 0...bytes, using: &generator))
                held[number] = (allowance, address, bytes, isLarge)
            } catch {
                refused += 1
                allowance.release()
            }
            if Int.random(in: 0..<3, using: &generator) == 0, let some = held.keys.randomElement(using: &generator) {
                held.removeValue(forKey: some)?.allowance.release()
            }
            budget.advance(by: .milliseconds(Int64.random(in: 0...900, using: &generator)))
            for ended in budget.ended { held[ended] = nil }
            #expect(budget.reservedBytes == held.values.reduce(0) { $0 + $1.bytes })
            let large = held.values.filter(\.isLarge)
            #expect(large.reduce(0) { $0 + $1.bytes } <= BodyBudget.maximumLargeBytes)
            let ofAddress = large.filter { $0.address == address }.reduce(0) { $0 + $1.bytes }
            #expect(ofAddress <= BodyBudget.maximumLargeBytesPerAddress)
        }
        #expect(refused > 0 && !budget.ended.isEmpty)
        for body in held.values {
            body.allowance.release()
            body.allowance.release()
        }
        #expect(budget.reservedBytes == 0)
    }

    /// Of bodies that arrive at 1 KiB, at 9 KiB, at 20 KiB and at 100 KiB a second.
    @Test func `Without room the slowest large body ends, but for one of an address that goes on`() throws {
        let budget = Budget()
        let bytes = BodyBudget.maximumLargeBytesPerAddress / 4
        let rates = [9, 1, 20, 100]
        let bodies = rates.indices.map { budget.begin($0, address: 1) }
        for body in bodies { try body.grow(to: bytes, isLarge: true) }
        let first = budget.begin(9, address: 1)
        #expect(throws: Problem.self) { try first.grow(to: 1, isLarge: true) }
        for _ in 0..<20 {
            budget.advance(by: .seconds(1))
            for (body, rate) in zip(bodies, rates) { body.arrive(rate << 10) }
        }
        // Beginning and end of what is spared, of what ends, and of what is fast enough.
        for (number, isEnded) in [(10, [1]), (11, [1, 2] as Set)] {
            let fresh = budget.begin(number, address: 1)
            try fresh.grow(to: bytes, isLarge: true)
            #expect(budget.ended == isEnded)
        }
        let last = budget.begin(12, address: 1)
        #expect(throws: Problem.self) { try last.grow(to: bytes, isLarge: true) }
        #expect(throws: Problem.self) { try bodies[1].grow(to: 2 * bytes, isLarge: true) }
    }

    @Test(arguments: [1, 3]) func `A large body that hardly arrives ends even if there is room`(rate: Int) throws {
        let budget = Budget()
        let body = budget.begin(0, address: 1)
        try body.grow(to: 1 << 20, isLarge: true)
        for second in 1...30 {
            budget.advance(by: .seconds(1))
            body.arrive(rate << 10)
            body.endIfTooSlow()
            #expect(budget.ended.isEmpty || second >= 10)
        }
        #expect(budget.ended.isEmpty == (rate > 2))
    }

    /// Two thousand of 16 KiB, a byte now and then.
    @Test func `The newest small body is never refused for those that do not arrive`() throws {
        let budget = Budget()
        for number in 0..<2_000 {
            let body = budget.begin(number, address: 1)
            try body.grow(to: 16 << 10, isLarge: false)
            body.arrive(1)
            budget.advance(by: .milliseconds(5))
            #expect(budget.reservedBytes <= BodyBudget.maximumSmallBytesPerAddress)
        }
        let elsewhere = budget.begin(2_000, address: 2)
        try elsewhere.grow(to: 16 << 10, isLarge: false)
        #expect(budget.ended.count == 2_000 - BodyBudget.maximumSmallBytesPerAddress >> 14)
    }

    @Test func `Two large bodies of an account arrive at once, and no third`() throws {
        let (budget, account) = (Budget(), AccountID(UUID()))
        let bodies = (0..<3).map { budget.begin($0, address: $0) }
        for body in bodies.prefix(2) { try body.grow(to: 1 << 20, isLarge: true, of: account) }
        #expect(throws: Problem.self) { try bodies[2].grow(to: 1 << 20, isLarge: true, of: account) }
        try bodies[2].grow(to: 1 << 10, isLarge: false, of: account)
        bodies[0].release()
        // One that turns out to be large.
        try bodies[2].grow(to: 1 << 20, isLarge: true, of: account)
        #expect(budget.reservedBytes == 2 << 20)
    }

    /// Reports the connections that a listener accepts.
    private final class Accepted: ChannelInboundHandler {
        typealias InboundIn = any Channel

        private let feed: AsyncStream<any Channel>.Continuation

        init(_ feed: AsyncStream<any Channel>.Continuation) { self.feed = feed }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            feed.yield(unwrapInboundIn(data))
            context.fireChannelRead(data)
        }
    }

    private static func readBytes(of connection: any Channel) async throws -> Int? {
        let reads = try await connection.getOption(.recvAllocator).get()
        return (reads as? AdaptiveRecvByteBufferAllocator)?.maximum
    }

    /// The bytes that they may have read ahead are counted as if they had arrived, up to the length of the body.
    @Test func `Reads are large while much of a body arrives, and usual before and after`() async throws {
        try await World.run { world in
            let (player, budget) = (try await world.newPlayer(), world.assembly.routes.services.bodies)
            let (accepted, feed) = AsyncStream.makeStream(of: (any Channel).self)
            var listener = world.assembly.routes.listener(
                at: ListenAddress(host: "127.0.0.1", port: 0), logger: World.quiet)
            listener.onListening = { channel in
                let added = channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.addHandler(Accepted(feed), position: .first)
                }
                try? await added.get()
            }
            try await listener.test { server in
                try await RawConnection.open(port: server.port) { inbound, outbound in
                    let length = 4 << 20
                    try await outbound.write(ByteBuffer(string: Self.head("/v1/restore", player, length: length)))
                    let connection = try #require(await accepted.first { _ in true })
                    let pieces = [(Limits.largeReadsFrom - 1, 1 << 20), (800 << 10, 4 << 20)]
                    for (piece, held) in pieces {
                        try await poll("reads are usual") {
                            try await Self.readBytes(of: connection) == Limits.maximumReadBytes
                        }
                        try await outbound.write(ByteBuffer(repeating: 0x20, count: piece))
                        try await poll("it is held") { budget.reservedBytes == held }
                    }
                    try await poll("reads are large") {
                        try await Self.readBytes(of: connection) == Limits.maximumLargeReadBytes
                    }
                    let rest = length - pieces.reduce(0) { $0 + $1.0 }
                    try await outbound.write(ByteBuffer(repeating: 0x20, count: rest))
                    let answer = await RawConnection.read(inbound) { $0.contains("}") }
                    #expect(answer.statuses == [400], "\(answer)")
                    try await poll("reads are usual") {
                        try await Self.readBytes(of: connection) == Limits.maximumReadBytes
                    }
                }
            }
            try await poll("nothing is held") { budget.reservedBytes == 0 }
        }
    }

    private static func head(_ path: String, _ player: Player, length: Int, from address: Int = 1) -> String {
        """
        POST \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(player.token)\r\nContent-Type: application/json\r
        X-Forwarded-For: 203.0.113.\(address)\r\nContent-Length: \(length)\r\n\r\n
        """
    }

    /// Three addresses hold all that large bodies may take; whatever is small is answered, from there and elsewhere.
    @Test func `Slow uploads stop nobody's purchases and notifications`() async throws {
        try await World.run(environment: ["QUARTERMASTER_TRUSTED_PROXIES": "127.0.0.0/8,::1"], hasServerKey: true) {
            world in
            let budget = world.assembly.routes.services.bodies
            let gate = AsyncStream<Never>.makeStream()
            try await withThrowingTaskGroup { group in
                defer { gate.continuation.finish() }
                for number in 0..<16 {
                    let player = try await world.newPlayer()
                    let head = Self.head("/v1/receipts", player, length: 3_000_000, from: 1 + number % 3)
                    group.addTask {
                        try await RawConnection.open(port: world.port) { _, outbound in
                            try await outbound.write(ByteBuffer(string: head))
                            try await outbound.write(ByteBuffer(repeating: 0x20, count: 2_200 << 10))
                            for await _ in gate.stream {}
                        }
                    }
                }
                try await poll("all are held") { budget.reservedBytes == BodyBudget.maximumLargeBytes }
                for round in 1...5 { try await Self.expectAnswers(to: world, from: [1, 2, 9][round % 3]) }
                let large = try await world.newPlayer()
                let answer = try await RawConnection.exchange(
                    Self.head("/v1/restore", large, length: 100_000, from: 9) + String(repeating: " ", count: 100_000),
                    port: world.port)
                #expect(answer.statuses == [503] && answer.contains("\"finish\":false"), "\(answer)")
            }
            try await poll("nothing is held") { budget.reservedBytes == 0 }
        }
    }

    /// A receipt, a restore and a notification of an address.
    private static func expectAnswers(to world: World, from address: Int) async throws {
        let player = try await world.newPlayer()
        let bought = try await world.buy("tenhints", "consumable")
        let signed = bought.signedTransaction
        let bodies = [
            ("/v1/receipts", "{\"receipt\":\"\(signed)\"}"), ("/v1/restore", "{\"receipts\":[\"\(signed)\"]}"),
            ("/v1/notifications/app-store", "{\"signedPayload\":\"\(signed)\"}"),
        ]
        for (path, body) in bodies {
            let head = Self.head(path, player, length: body.utf8.count, from: address)
            let answer = try await RawConnection.exchange(head + body, port: world.port)
            #expect(!answer.statuses.isEmpty && !answer.statuses.contains(503), "\(path): \(answer)")
            if path == "/v1/receipts" { #expect(answer.contains("\"hints\":10"), "\(answer)") }
        }
    }

    @Test func `A body of which the budget needs the room is answered 503`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let (budget, address) = (world.assembly.routes.services.bodies, IPAddress("127.0.0.1"))
            try await RawConnection.open(port: world.port) { inbound, outbound in
                // Chunks, which are small until there are more of them.
                try await outbound.write(ByteBuffer(string: Self.chunkedHead(player)))
                try await outbound.write(ByteBuffer(string: "2000\r\n\(String(repeating: " ", count: 8_192))\r\n"))
                try await poll("the small body is held") { budget.reservedBytes == 8 << 10 }
                // More small ones of the address, which have arrived.
                var held: [BodyAllowance] = []
                for _ in 0..<(BodyBudget.maximumSmallBytesPerAddress >> 14) {
                    let body = budget.begin(for: address?.subscriber) {}
                    try body.grow(to: 16 << 10, isLarge: false)
                    body.complete()
                    held.append(body)
                }
                let answer = await RawConnection.read(inbound)
                #expect(answer.statuses == [503] && answer.contains("\"busy\""), "\(answer)")
                #expect(answer.contains("Retry-After: ") && answer.lowercased().contains("connection: close"))
                #expect(answer.contains("\"finish\":false"))
                for body in held { body.release() }
            }
            try await poll("nothing is held") { budget.reservedBytes == 0 }
        }
    }

    private static func chunkedHead(_ player: Player) -> String {
        """
        POST /v1/receipts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(player.token)\r\nContent-Type: application/json\r
        Transfer-Encoding: chunked\r\n\r\n
        """
    }

    /// Streams of one HTTP/2 connection are counted one by one.
    @Test func `The bodies of HTTP/2 streams are counted one by one`() async throws {
        let identity = try ServerIdentity()
        try await withFolder { folder in
            try await World.run(environment: try identity.write(to: folder)) { world in
                let budget = world.assembly.routes.services.bodies
                let frames = [1, 3 as UInt32].flatMap { stream in
                    HTTP2Frame.head("/v1/notifications/app-store", isPost: true, ends: false, stream: stream).bytes
                        + HTTP2Frame(kind: .data, stream: stream, payload: Array(repeating: 0x20, count: 10_000)).bytes
                }
                let client = try identity.client(["h2"])
                try await RawConnection.open(port: world.port, under: client) { inbound, outbound in
                    try await outbound.write(ByteBuffer(bytes: HTTP2Frame.preface + frames))
                    try await poll("both are held") { budget.reservedBytes == 2 << 14 }
                }
                try await poll("nothing is held") { budget.reservedBytes == 0 }
            }
        }
    }

    /// An account that may send no receipts is told so before a byte of the body is read; one that may holds one body.
    @Test func `A body is counted before it is read`() async throws {
        try await World.run(environment: World.threeReceipts) { world in
            let budget = world.assembly.routes.services.bodies
            let player = try await world.newPlayer()
            for _ in 1...2 { #expect(try await world.post("x", as: player).status == 422) }
            let head = Self.head("/v1/receipts", player, length: 1_000_000)
            try await RawConnection.open(port: world.port) { inbound, outbound in
                try await outbound.write(ByteBuffer(string: head + "{"))
                try await poll("the body is held") { budget.reservedBytes > 0 }
                let held = budget.reservedBytes
                try await RawConnection.open(port: world.port) { inbound, outbound in
                    try await outbound.write(ByteBuffer(string: head + String(repeating: " ", count: 500_000)))
                    let answer = await RawConnection.read(inbound) { $0.contains("}") }
                    #expect(answer.statuses == [429] && answer.contains("\"finish\":false"), "\(answer)")
                    #expect(budget.reservedBytes == held)
                }
            }
        }
    }
}
