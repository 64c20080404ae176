import InAppPurchase
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

@Suite struct WriteQueueTests {
    @Test func whoComesToAFullQueueIsSentAwayAndMayComeAgain() throws {
        let queue = WriteQueue()
        for _ in 0..<WriteQueue.length { try queue.enter() }
        #expect(throws: LedgerUnavailable.self) { try queue.enter() }
        queue.leave()
        try queue.enter()
        #expect(throws: LedgerUnavailable.self) { try queue.enter() }
    }
}
