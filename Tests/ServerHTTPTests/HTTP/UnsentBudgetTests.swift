import NIOCore
import NIOEmbedded
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// The memory of responses that are not read has a budget, and whoever reads gets room in it.
@Suite struct UnsentBudgetTests {
    private static let budgetOfClients = ClientAddresses(trusted: [])

    private static func channel() async throws -> NIOAsyncTestingChannel {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "10.0.0.1", port: 1)).get()
        return channel
    }

    /// A budget whose time stands still until the test moves it on.
    private final class Clock: Sendable {
        private let time = Mutex(NIODeadline.uptimeNanoseconds(1))

        var now: NIODeadline { time.withLock { $0 } }

        func advance(by amount: TimeAmount) { time.withLock { $0 = $0 + amount } }
    }

    private static func budget(_ clock: Clock) -> UnsentBudget {
        UnsentBudget(budgetOfClients, ended: ServerMetrics().unsentEnded) { clock.now }
    }

    /// Whatever is reserved, counted and dropped in whatever order.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `What is reserved never exceeds the budget, and nothing stays`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let (budget, channel) = (Self.budget(Clock()), try await Self.channel())
        var held: [(bytes: UnsentBytes, count: Int, address: Int)] = []
        var refused = 0
        for _ in 0..<2_000 {
            let count = 1 << Int.random(in: 16...22, using: &generator)
            let address = Int.random(in: 0..<6, using: &generator)
            if let bytes = budget.reserve(count, for: IPAddress("10.0.0.\(address)"), on: channel) {
                held.append((bytes, count, address))
            } else {
                refused += 1
            }
            if Int.random(in: 0..<3, using: &generator) == 0, !held.isEmpty {
                held.remove(at: Int.random(in: 0..<held.count, using: &generator))
            }
            let ofAddress = held.filter { $0.address == address }.reduce(0) { $0 + $1.count }
            #expect(ofAddress <= UnsentBudget.maximumBytesPerAddress && budget.heldBytes <= UnsentBudget.maximumBytes)
            #expect(budget.heldBytes == held.reduce(0) { $0 + $1.count } && !budget.isOver)
        }
        #expect(refused > 0)
        held = []
        #expect(budget.heldBytes == 0)
    }

    /// One address, and all others, full of responses that nobody reads.
    @Test(arguments: [true, false])
    func `The one that was longest without progress makes room for a fresh one`(isOfAddress: Bool) async throws {
        let clock = Clock()
        let budget = Self.budget(clock)
        let step = UnsentBudget.maximumBytesPerAddress / 4
        var held: [UnsentBytes] = []
        var channels: [NIOAsyncTestingChannel] = []
        for number in 0..<(isOfAddress ? 4 : 16) {
            let channel = try await Self.channel()
            channels.append(channel)
            held.append(try #require(budget.reserve(step, for: IPAddress("10.0.0.\(number / 4)"), on: channel)))
            clock.advance(by: .milliseconds(100))
        }
        let (fresh, address) = (try await Self.channel(), IPAddress(isOfAddress ? "10.0.0.0" : "10.0.0.9"))
        #expect(budget.reserve(step, for: address, on: fresh) == nil)
        // The first has been read on.
        held[0].progress()
        async let room = budget.reserveSoon(step, for: address, on: fresh)
        clock.advance(by: UnsentBudget.maximumStall - .seconds(3))
        try await Task.sleep(for: .milliseconds(200))
        #expect(channels.map(\.isActive) == channels.map { _ in true })
        clock.advance(by: .seconds(3))
        _ = try await room
        #expect(channels.map(\.isActive) == channels.indices.map { $0 != 1 })
    }

    @Test func `More is counted than there is room for, and then others wait`() async throws {
        let (budget, channel) = (Self.budget(Clock()), try await Self.channel())
        let address = IPAddress("10.0.0.1")
        let first = budget.count(UnsentBudget.maximumBytesPerAddress + 1, for: address, on: channel)
        #expect(budget.isOver && budget.reserve(0, for: address, on: channel) == nil)
        #expect(budget.reserve(1, for: IPAddress("10.0.0.2"), on: channel) != nil)
        first.count(1)
        #expect(!budget.isOver && budget.reserve(1, for: address, on: channel) != nil)
    }
}
