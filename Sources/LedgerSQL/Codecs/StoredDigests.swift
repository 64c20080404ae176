import Crypto
import Foundation
import Synchronization

/// The digests of rows that a ledger is known to have, since a committed write of this server stored them. For tables
/// of which no version of this server deletes a row. Empties itself when it is full.
final class StoredDigests: Sendable {
    private let limit: Int
    private let digests = Mutex<Set<Data>>([])
    private let last = Mutex<(text: String, digest: Data)?>(nil)

    init(limit: Int) { self.limit = limit }

    func contains(_ digest: Data) -> Bool { digests.withLock { $0.contains(digest) } }

    /// The SHA-256 of a string. The last one is cached: comparing costs a hundredth of hashing.
    func digest(of text: String) -> Data {
        if let digest = last.withLock({ $0?.text == text ? $0?.digest : nil }) { return digest }
        let digest = Data(SHA256.hash(data: Data(text.utf8)))
        last.withLock { $0 = (text, digest) }
        return digest
    }

    /// Records that the ledger has these rows, when the write that stored them is committed.
    func insert(_ new: Set<Data>) {
        guard !new.isEmpty else { return }
        digests.withLock {
            if $0.count >= limit { $0.removeAll() }
            $0.formUnion(new)
        }
    }
}
