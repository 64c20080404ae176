/// Postings of one currency, newest first.
package struct PostingPage: Sendable {
    /// The maximum number of an account's postings that are looked at for one page, of whatever currency.
    package static let maximumScanned = 1_000

    package var postings: [Posting]
    /// The position to continue from; `nil` at the end. A page may have few postings and still not be the last.
    package var next: Int?

    package init(postings: [Posting], next: Int?) {
        self.postings = postings
        self.next = next
    }
}
