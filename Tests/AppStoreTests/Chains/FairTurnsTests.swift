import Basics
import StoreClient
import Synchronization
import Testing

/// Turns at something scarce, by address and account.
@Suite struct FairTurnsTests {
    private final class Order: Sendable {
        let names = Mutex<[String]>([])

        func append(_ name: String) { names.withLock { $0.append(name) } }
    }

    private let order = Order()

    private func fill(_ turns: FairTurns, _ group: inout TaskGroup<Void>, _ sender: Sender, _ count: Int) async {
        let waiting = turns.waiting + count
        for _ in 0..<count {
            group.addTask {
                let name = sender.account ?? ""
                let result: Void? = await turns.run(for: sender) { order.append(name) }
                if result == nil { order.append("refused \(name)") }
            }
        }
        while turns.waiting < waiting { await Task.yield() }
    }

    @Test func `Turns go round by address, and within an address by account`() async {
        let turns = FairTurns(.init(total: 1, perAddress: 1, perAccount: 1, waiting: 100))
        let holder = Sender(address: 9)
        #expect(await turns.enter(for: holder, within: .zero))
        await withTaskGroup { group in
            await fill(turns, &group, Sender(address: 1, account: "1"), 4)
            await fill(turns, &group, Sender(address: 1, account: "2"), 1)
            await fill(turns, &group, Sender(address: 2, account: "3"), 2)
            turns.release(for: holder)
        }
        #expect(order.names.withLock { $0 } == ["1", "3", "2", "3", "1", "1", "1"])
    }

    @Test func `Nobody has all turns, and who had none has one at once`() async {
        let turns = FairTurns(.init(total: 4, perAddress: 3, perAccount: 2, waiting: 100))
        let (first, second) = (Sender(address: 1, account: "1"), Sender(address: 1, account: "2"))
        for _ in 1...2 { #expect(await turns.enter(for: first, within: .zero)) }
        #expect(await !turns.enter(for: first, within: .milliseconds(1)))
        #expect(await turns.enter(for: second, within: .zero))
        #expect(await !turns.enter(for: second, within: .milliseconds(1)), "three of the address")
        #expect(await turns.enter(for: Sender(address: 2), within: .zero))
        #expect(await !turns.enter(for: Sender(address: 3), within: .milliseconds(1)), "four in all")
        turns.release(for: first)
        #expect(await turns.enter(for: Sender(address: 3), within: .zero))
        #expect(turns.waiting == 0)
    }

    @Test func `In a full queue whoever has most gives a place`() async {
        let turns = FairTurns(.init(total: 1, perAddress: 1, perAccount: 1, waiting: 4))
        let holder = Sender(address: 9)
        #expect(await turns.enter(for: holder, within: .zero))
        await withTaskGroup { group in
            await fill(turns, &group, Sender(address: 1, account: "1"), 4)
            for sender in [Sender(address: 1, account: "2"), Sender(address: 2, account: "3")] {
                let before = order.names.withLock { $0.count }
                group.addTask { _ = await turns.run(for: sender) { order.append(sender.account ?? "") } }
                while order.names.withLock({ $0.count }) == before { await Task.yield() }
            }
            // Now the others would have as many as they.
            #expect(await !turns.enter(for: Sender(address: 1, account: "1"), within: .seconds(60)))
            turns.release(for: holder)
        }
        #expect(order.names.withLock { $0 } == ["refused 1", "refused 1", "1", "3", "2", "1"])
    }

    @Test func `Who stops waiting gets no turn, and takes none`() async {
        let turns = FairTurns(.init(total: 1, perAddress: 1, perAccount: 1, waiting: 4))
        let (holder, other) = (Sender(address: 9), Sender(address: 2))
        #expect(await turns.enter(for: holder, within: .zero))
        let waiting = Task { await turns.run(for: other) {} }
        while turns.waiting == 0 { await Task.yield() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        turns.release(for: holder)
        #expect(await turns.enter(for: other, within: .zero))
    }
}
