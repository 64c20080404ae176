import Foundation
import Synchronization

/// The headers of signed transactions that the ledger is known to have a row for, by their digests: those that a
/// committed write of this server stored. No version of this server deletes any.
final class ReceiptHeaders: Sendable {
    /// More than there are certificates that sign for the App Store at a time.
    static let maximumKnown = 64

    private let digests = Mutex<Set<Data>>([])

    func contains(_ digest: Data) -> Bool { digests.withLock { $0.contains(digest) } }

    /// Records that the ledger has these headers, when the write that stored them is committed.
    func insert(_ new: Set<Data>) {
        guard !new.isEmpty else { return }
        digests.withLock { known in
            if known.count >= Self.maximumKnown { known = [] }
            known.formUnion(new)
        }
    }
}
