import Foundation
import Synchronization

/// The hashes of terms that a ledger has, as far as this server has stored them itself.
final class StoredTerms: Sendable {
    private let hashes = Mutex<Set<Data>>([])

    func contains(_ hash: Data) -> Bool { hashes.withLock { $0.contains(hash) } }

    func insert(_ new: Set<Data>) {
        guard !new.isEmpty else { return }
        hashes.withLock {
            if $0.count >= TermsCodec.maximumCached { $0.removeAll() }
            $0.formUnion(new)
        }
    }
}
