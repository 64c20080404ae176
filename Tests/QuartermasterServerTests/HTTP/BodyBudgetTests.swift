import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import TestSupport
import Testing

@testable import QuartermasterServer

/// Bodies in memory have a budget, for the process and for each address.
@Suite struct BodyBudgetTests {
    static let busy = ExpectedProblem(503, "busy")
    static let busyWithReceipts = ExpectedProblem(503, "busy", finish: false)

    /// Whatever is reserved and given back in whatever order, the limits are never exceeded, and nothing stays
    /// reserved.
    @Test("The budget for bodies is never exceeded", arguments: 0..<20 as Range<UInt64>)
    func isNeverPassed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let budget = BodyBudget(refusals: ServerMetrics().bodiesRefused)
        let addresses = (1...8).map { IPAddress("10.0.0.\($0)") }
        var held: [(allowance: BodyAllowance, address: Int, bytes: Int)] = []
        var (refused, heldBytes) = (0, [Int](repeating: 0, count: addresses.count))
        for _ in 0..<2_000 {
            let isSmall = Bool.random(using: &generator)
            let bytes = 1 << Int.random(in: 10...(isSmall ? 14 : 24), using: &generator)
            let place = Int.random(in: 0..<addresses.count, using: &generator)
            let allowance = BodyAllowance(budget, for: addresses[place])
            do {
                try allowance.grow(to: bytes / 2, isSmall: isSmall)
                try allowance.grow(to: bytes, isSmall: isSmall)
                held.append((allowance, place, bytes))
                heldBytes[place] += bytes
            } catch {
                refused += 1
                allowance.release()
            }
            if Int.random(in: 0..<3, using: &generator) == 0, !held.isEmpty {
                let released = held.remove(at: Int.random(in: 0..<held.count, using: &generator))
                released.allowance.release()
                heldBytes[released.address] -= released.bytes
            }
            #expect(budget.reservedBytes == heldBytes.reduce(0, +))
            #expect(budget.reservedBytes <= BodyBudget.maximumBytes)
            // One address at a time changes.
            #expect(heldBytes[place] <= BodyBudget.maximumBytesPerAddress)
        }
        #expect(refused > 0)
        for body in held { body.allowance.release() }
        for body in held { body.allowance.release() }
        #expect(budget.reservedBytes == 0)
    }

    @Test("Small bodies are accepted beside large ones")
    func smallBodiesAreAcceptedBesideLargeOnes() throws {
        let budget = BodyBudget(refusals: ServerMetrics().bodiesRefused)
        let step = 1 << 20
        for number in 0..<(BodyBudget.maximumLargeBytes / step) {
            let address = IPAddress("10.0.\(number * step / BodyBudget.maximumLargeBytesPerAddress).1")
            try budget.reserve(step, for: address, isSmall: false)
        }
        #expect(throws: Problem.self) { try budget.reserve(step, for: IPAddress("10.1.0.1"), isSmall: false) }
        try budget.reserve(step, for: IPAddress("10.0.0.1"), isSmall: true)
        try budget.reserve(step, for: IPAddress("10.1.0.1"), isSmall: true)
    }

    private static func head(_ path: String, _ player: Player, length: Int) -> String {
        """
        POST \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(player.token)\r\nContent-Type: application/json\r
        Content-Length: \(length)\r\n\r\n
        """
    }

    @Test("Held bodies of an address leave room for its small ones")
    func heldBodiesOfAnAddressLeaveRoomForItsSmallOnes() async throws {
        try await World.run { world in
            let budget = world.assembly.routes.bodies
            let (holder, player) = (try await world.newPlayer(), try await world.newPlayer())
            let receipt = try await world.buy("tenhints", "consumable").signedTransaction
            let most = BodyBudget.maximumLargeBytesPerAddress
            try await RawConnection.open(port: world.port) { inbound, outbound in
                // Two restores that begin and do not end: one has reached more than half of its limit.
                try await outbound.write(
                    ByteBuffer(string: Self.head("/v1/restore", holder, length: Limits.restoreBodyBytes)))
                try await outbound.write(ByteBuffer(repeating: 0x20, count: Limits.restoreBodyBytes / 2 + 1))
                try await poll("the body is held") { budget.reservedBytes == Limits.restoreBodyBytes }
                try await RawConnection.open(port: world.port) { inbound, outbound in
                    try await outbound.write(
                        ByteBuffer(string: Self.head("/v1/restore", holder, length: Limits.restoreBodyBytes)))
                    try await outbound.write(ByteBuffer(repeating: 0x20, count: most - Limits.restoreBodyBytes + 1))
                    let answer = await RawConnection.read(inbound)
                    #expect(answer.statuses == [503] && answer.contains("\"busy\""), "\(answer)")
                    #expect(answer.contains("Retry-After: ") && answer.lowercased().contains("connection: close"))
                    #expect(answer.contains("\"finish\":false"))
                }
                try await poll("what it held is given back") { budget.reservedBytes == Limits.restoreBodyBytes }
                let large = ByteBuffer(repeating: 0x20, count: most - Limits.restoreBodyBytes + 1)
                try await world.send(.post, "/v1/restore", large, as: player).expect(Self.busyWithReceipts)
                // A body of a few members, and a receipt of the usual size, are still accepted.
                let code: JSONValue = ["recoveryCode": .string(player.recoveryCode)]
                #expect(try await world.call(.post, "/v1/sessions", code).status == 201)
                #expect(try await world.post(receipt, as: player).json["balances"] == ["hints": 10])
                #expect(try await world.scrape()["quartermaster_rate_limited_total{limit=\"bodies\"}"] == "2")
            }
            try await poll("nothing is held") { budget.reservedBytes == 0 }
        }
    }

    /// Streams of one HTTP/2 connection are counted one by one.
    @Test("The bodies of HTTP/2 streams are counted one by one")
    func streamsAreCounted() async throws {
        let identity = try ServerIdentity()
        try await withFolder { folder in
            try await World.run(environment: try identity.write(to: folder)) { world in
                let budget = world.assembly.routes.bodies
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
    @Test("A body is counted before it is read")
    func aBodyIsCountedBeforeItIsRead() async throws {
        try await World.run(environment: RateLimitTests.threeReceipts) { world in
            let budget = world.assembly.routes.bodies
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
