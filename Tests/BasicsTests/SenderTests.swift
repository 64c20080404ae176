import Basics
import Testing

/// The places that full queues give to newcomers.
@Suite struct SenderTests {
    private func senders(_ pairs: (UInt128, String)...) -> [Sender] { pairs.map { Sender(address: $0, account: $1) } }

    @Test func `In a full queue the client that has most gives its last place to another one`() {
        let queue = senders((1, "a"), (2, "b"), (1, "c"), (1, "a"), (1, "c"), (1, "a"), (2, "b"))
        #expect(queue.index(for: Sender(address: 3)) == 5)
        #expect(queue.index(for: Sender(address: 2, account: "d")) == 5)
        #expect(queue.index(for: Sender(address: 1, account: "d")) == 5, "another account of the same address")
        #expect(queue.index(for: Sender(address: 1, account: "a")) == nil)
        #expect(queue.index(for: Sender(address: 1, account: "c")) == nil, "it would have as many")
    }

    @Test func `Where everybody has one place a newcomer has none`() {
        #expect(senders((1, "a"), (2, "b")).index(for: Sender(address: 3)) == nil)
        #expect([Sender]().index(for: Sender()) == nil)
        #expect([Sender(), Sender(), Sender()].index(for: Sender()) == nil)
    }
}
