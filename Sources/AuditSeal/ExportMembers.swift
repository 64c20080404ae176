import Crypto
import Foundation
import InAppPurchase

// The members of an export's lines: hashes in lower-case hexadecimal, times in milliseconds since 1970 UTC. A line that
// lacks a member, or has another one, is not what these write, and is refused for it.

enum ExportType: String, Codable {
    case export, key, row, checkpoint, end
}

/// What kind of line it is; all have it.
struct ExportTag: Decodable {
    var type: ExportType
}

struct ExportHead: Codable {
    /// Nil, and position 0, where the trail is whole.
    var hash: String?
    var position: Int
    var type = ExportType.export
    var version = ExportLine.version

    init(_ place: ChainPosition?) {
        position = place?.position ?? 0
        hash = place?.hash.hex
    }

    var line: ExportLine? {
        guard version == ExportLine.version else { return nil }
        guard let hash else { return position == 0 ? .export(after: nil) : nil }
        return Data(hex: hash).map { .export(after: ChainPosition(position: position, hash: $0)) }
    }
}

struct ExportKey: Codable {
    var jwk: JSONWebKey
    var type = ExportType.key

    init(_ key: AuditVerifyingKey) { jwk = JSONWebKey(key) }

    var line: ExportLine? { (try? jwk.verifying()).flatMap { $0 }.map(ExportLine.key) }
}

struct ExportRow: Codable {
    struct Place: Codable {
        var hash: String
        var position: Int
    }

    var account: String?
    var actor: String?
    var at: Int
    /// As it was hashed; nil where it was erased.
    var content: String?
    var contentHash: String
    var kind: String
    /// Nil where the row has none yet.
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
            account: account.flatMap { AccountID(uuidString: $0) }, subject: subject, content: content,
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
        // Null where it was erased: a line that lost the member does not pass for one.
        try container.encode(content, forKey: .content)
        try container.encode(contentHash, forKey: .contentHash)
        try container.encode(kind, forKey: .kind)
        try container.encode(seal, forKey: .seal)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(subject, forKey: .subject)
        try container.encode(type, forKey: .type)
    }
}

struct ExportCheckpoint: Codable {
    var at: Int
    var hash: String
    var key: String
    var position: Int
    /// Base64 (RFC 4648 §4).
    var signature: String
    var type = ExportType.checkpoint

    init(at: Int, hash: String, key: String, position: Int, signature: String) {
        self.at = at
        self.hash = hash
        self.key = key
        self.position = position
        self.signature = signature
    }

    init(_ checkpoint: Checkpoint) {
        self.init(
            at: checkpoint.date.milliseconds, hash: checkpoint.hash.hex, key: checkpoint.key,
            position: checkpoint.position, signature: checkpoint.signature.base64EncodedString())
    }

    var checkpoint: Checkpoint? {
        guard let hash = Data(hex: hash), let signature = Data(base64Encoded: signature) else { return nil }
        return Checkpoint(
            position: position, hash: hash, date: Date(milliseconds: at), key: key, signature: signature)
    }
}

struct ExportEnd: Codable {
    /// Left out where the trail was whole.
    var highest: Int?
    var lines: Int
    var type = ExportType.end

    init(lines: Int, highest: Int?) {
        self.lines = lines
        self.highest = highest
    }
}

extension Data {
    /// Reads hexadecimal; nil where it is none.
    fileprivate init?(hex text: String) {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes = Data(capacity: digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[place], let low = digits[place + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        self = bytes
    }
}
