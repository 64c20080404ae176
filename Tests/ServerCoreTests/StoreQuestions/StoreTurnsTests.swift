import Foundation
import InAppPurchase
import StoreClient
import Testing

@testable import CommandLine
@testable import ServerCore

/// Turns at questions to the store about receipts.
@Suite struct StoreTurnsTests {
    /// No answer in a moment would count as an outage, and five of them stop everybody's questions.
    @Test func `The store is not asked in a time that is too short for an answer`() async {
        let receipt = Receipt(
            id: "r_1", account: AccountID(UUID()), kind: .transactionReceipt, content: "", digest: Data())
        let turns = StoreTurns()
        let short = StoreTurns.minimumTime - .milliseconds(1)
        #expect(await turns.ask(about: receipt, within: short) { _ in true } == nil)
        #expect(await turns.ask(about: receipt, within: .seconds(60)) { $0 > StoreTurns.minimumTime } == true)
        #expect(turns.receipts.waiting == 0)
    }
}
