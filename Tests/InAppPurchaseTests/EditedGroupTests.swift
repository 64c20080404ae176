import InAppPurchase
import Ledger
import TestSupport
import Testing

/// The product's group was edited between two purchases of the same moment, so that each has its own history.
@Suite struct EditedGroupTests {
    private static func bought(_ number: Int, group: String, id: TransactionID) throws -> RecordedTransaction {
        let entry = #"{"id": "mag\#(number)", "type": "auto-renewable", "group": "\#(group)\#(number)"}"#
        return RecordedTransaction(
            transaction: purchase(ProductID(stored: "mag\(number)"), id: id, on: day(0), expirationDate: day(30)),
            purchase: id, terms: try product(entry), owner: AccountID(account(1)), creditedTo: AccountID(account(1)))
    }

    /// The one with the lower transaction ID counts as the later one, as where the newest purchase is shown. There are
    /// many products, since which history came first was left to chance.
    @Test func `Of two histories without access the later one says why`() throws {
        var (records, renewals) = ([RecordedTransaction](), [OriginalTransaction.Key: RenewalFacts]())
        for number in 0..<30 {
            let later = try Self.bought(number, group: "a", id: TransactionID(stored: "\(1000 + number)"))
            records += [later, try Self.bought(number, group: "b", id: TransactionID(stored: "\(2000 + number)"))]
            renewals[later.transaction.originalTransactionKey] = RenewalFacts(
                isInBillingRetry: true, signedDate: day(31))
        }
        let state = AccountState(
            account: AccountID(account(1)), records: records, renewals: renewals,
            context: RecordingContext(catalog: Catalog(), date: day(40)))
        #expect(state.entitlements.map(\.access) == Array(repeating: .denied(.billingRetry), count: 30))
    }
}
