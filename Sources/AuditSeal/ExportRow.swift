import Basics
import Foundation
import InAppPurchase
import Ledger

struct ExportRow: Codable {
    struct Place: Codable {
        var hash: String
        var position: Int
    }

    var account: String?
    var actor: String?
    var at: Int
    /// The content as it was hashed; `nil` if it was erased.
    var content: String?
    var contentHash: String
    var kind: String
    /// `nil` if the row is not sealed yet.
    var seal: Place?
    var sequence: Int
    var subject: String?
    var type = ExportType.row

    init(_ row: AuditRow, _ seal: Seal?) {
        account = row.account?.text
        actor = row.actor
        at = row.date.milliseconds
        content = row.content
        contentHash = row.contentHash.hex
        kind = row.kind
        sequence = row.sequence
        subject = row.subject
        self.seal = seal.map { Place(hash: $0.hash.hex, position: $0.position) }
    }

    var line: ExportLine? {
        guard let contentHash = Data(hex: contentHash) else { return nil }
        let row = AuditRow(
            sequence: sequence, date: Date(milliseconds: at), kind: kind, actor: actor,
            account: account.flatMap { AccountID(text: $0) }, subject: subject, content: content,
            contentHash: contentHash)
        guard let seal else { return .row(row, nil) }
        return Data(hex: seal.hash).map {
            .row(row, Seal(position: seal.position, sequence: sequence, hash: $0))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(account, forKey: .account)
        try container.encode(actor, forKey: .actor)
        try container.encode(at, forKey: .at)
        // `null` if it was erased, so that a line which lost the member is detected.
        try container.encode(content, forKey: .content)
        try container.encode(contentHash, forKey: .contentHash)
        try container.encode(kind, forKey: .kind)
        try container.encode(seal, forKey: .seal)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(subject, forKey: .subject)
        try container.encode(type, forKey: .type)
    }
}

enum ExportType: String, Codable {
    case export, key, row, checkpoint, end
}
