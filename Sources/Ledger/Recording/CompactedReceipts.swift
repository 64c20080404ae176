/// A page of receipts that were stored as they had been sent, and take less room now.
package struct CompactedReceipts: Sendable, Equatable {
    /// The ID of the last receipt that was looked at; `nil` if there was none.
    package var last: String?
    package var lookedAt: Int
    package var packed: Int
    package var bytesBefore: Int
    /// The number of bytes afterwards, without the headers, each of which is stored once.
    package var bytesAfter: Int

    package init(last: String?, lookedAt: Int, packed: Int, bytesBefore: Int, bytesAfter: Int) {
        self.last = last
        self.lookedAt = lookedAt
        self.packed = packed
        self.bytesBefore = bytesBefore
        self.bytesAfter = bytesAfter
    }
}
