import Foundation
import InAppPurchase
import Ledger

/// A page of the changes of a player's balance, newest first.
struct PostingListBody: Encodable {
    /// A change of the balance, without what only support sees.
    struct Entry: Encodable {
        var amount: Int
        var kind: String
        var product: ProductID?
        /// The key of a spend, by which the app knows it.
        var idempotencyKey: String?
        var at: Date

        init(_ posting: Posting) {
            amount = posting.amount
            kind = posting.kind.rawValue
            product = posting.product
            idempotencyKey = posting.kind == .spend ? posting.cause : nil
            at = posting.date
        }
    }

    var postings: [Entry]
    /// Omitted on the last page.
    var next: String?

    init(_ page: PostingPage) {
        postings = page.postings.map(Entry.init)
        next = page.next.map(String.init)
    }
}
