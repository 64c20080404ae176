/// How far the stored bytes have been read again for facts that earlier releases did not keep: see
/// ``Ledger/backfillPage(after:)``.
package struct BackfillPosition: Hashable, Codable, Sendable {
    package enum Phase: String, Codable, Sendable {
        case receipts
        case notifications
        case done
    }

    package var phase: Phase
    /// The ID of the last row of the phase that was read; empty before the first.
    package var id: String

    package init(_ phase: Phase, after id: String = "") {
        self.phase = phase
        self.id = id
    }

    /// Before everything, as in a ledger that no release with a backfill has opened.
    package static let start = Self(.receipts)
}
