import Crypto
import Foundation
import InAppPurchase
package import Ledger

extension Seal {
    /// Seals a row: hashes it with the previous seal.
    ///
    /// - Parameter place: of the previous seal; `nil` for the first row of all.
    package init(_ row: AuditRow, after place: ChainPosition?) {
        let position = (place?.position ?? 0).saturatingAdding(1)
        self.init(
            position: position, sequence: row.sequence,
            hash: Data(SHA256.hash(data: Self.bytes(of: row, position, after: place?.hash))))
    }

    /// The row without its content, which may be erased: its hash stands for it.
    private static func bytes(of row: AuditRow, _ position: Int, after hash: Data?) -> [UInt8] {
        var bytes = CanonicalBytes(for: "quartermaster audit seal v1")
        bytes.add(position)
        bytes.add(hash)
        bytes.add(row.sequence)
        bytes.add(row.date.milliseconds)
        bytes.add(row.kind)
        bytes.add(row.actor)
        bytes.add(row.account?.text)
        bytes.add(row.subject)
        bytes.add(row.contentHash)
        return bytes.bytes
    }
}

extension AuditRow {
    /// Whether the content has the recorded hash, or was erased.
    var contentFits: Bool {
        guard let content else { return true }
        return Data(SHA256.hash(data: Data(content.utf8))) == contentHash
    }
}
