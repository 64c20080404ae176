import Basics
package import Foundation
import InAppPurchase
package import Ledger
import StrictJSON

/// A line of an exported audit trail, one JSON object, its members in alphabetical order.
///
/// First `export`, with the place in the chain before the first row; then every `key`; then each `row` in the order of
/// the seals, each `checkpoint` after the row whose seal it names; then the rows without a seal; last `end`.
package enum ExportLine: Sendable {
    case export(after: ChainPosition?)
    case key(AuditVerifyingKey)
    case row(AuditRow, Seal?)
    case checkpoint(Checkpoint)
    /// The number of lines before it, which shows that none was cut off in transit. The highest sequence number that
    /// was given, only if the trail ended before it when it was exported.
    case end(lines: Int, highest: Int? = nil)

    /// The only version of the format so far.
    static let version = 1

    /// The line without its line feed.
    package func encoded() throws -> Data {
        let encoder = JSONEncoder.canonical
        switch self {
        case .export(let place): return try encoder.encode(ExportHead(place))
        case .key(let key): return try encoder.encode(ExportKey(key))
        case .row(let row, let seal): return try encoder.encode(ExportRow(row, seal))
        case .checkpoint(let checkpoint): return try encoder.encode(ExportCheckpoint(checkpoint))
        case .end(let lines, let highest): return try encoder.encode(ExportEnd(lines: lines, highest: highest))
        }
    }

    /// - Throws: ``/Ledger/TrailError`` if the line is not, byte for byte, what ``encoded()`` gives.
    package init(_ line: Data, number: Int) throws(TrailError) {
        guard let decoded = try? Self.decode(line), (try? decoded.encoded()) == line else {
            throw TrailError(.line(number), "is not as it was exported")
        }
        self = decoded
    }

    private static func decode(_ line: Data) throws -> ExportLine? {
        let decoder = JSONDecoder()
        switch try decoder.decode(ExportTag.self, from: line).type {
        case .export: return try decoder.decode(ExportHead.self, from: line).line
        case .key: return try decoder.decode(ExportKey.self, from: line).line
        case .row: return try decoder.decode(ExportRow.self, from: line).line
        case .checkpoint: return try decoder.decode(ExportCheckpoint.self, from: line).checkpoint.map(Self.checkpoint)
        case .end:
            let end = try decoder.decode(ExportEnd.self, from: line)
            return .end(lines: end.lines, highest: end.highest)
        }
    }
}

extension Checkpoint {
    /// Parses a checkpoint that was stored elsewhere: its line of an export, or its log line.
    ///
    /// `nil` for anything else.
    package init?(kept text: String) {
        let stored = try? JSONDecoder().decode(ExportCheckpoint.self, from: Data(text.utf8))
        guard let checkpoint = stored?.checkpoint ?? Self.logged(text) else { return nil }
        self = checkpoint
    }

    /// The members to be logged, by name. All of them are public.
    package var logged: [(name: String, value: String)] {
        [
            ("position", String(position)), ("hash", hash.hex), ("at", String(date.milliseconds)), ("key", key),
            ("signature", signature.base64EncodedString()),
        ]
    }

    private static func logged(_ line: String) -> Checkpoint? {
        let words = line.split { $0.isWhitespace || $0 == "," }.compactMap { word -> (String, String)? in
            guard let sign = word.firstIndex(of: "=") else { return nil }
            // A signature may end with an equals sign, and is quoted then.
            return (String(word[..<sign]), word[sign...].dropFirst().filter { $0 != "\"" })
        }
        let members = try? JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        let values = members ?? Dictionary(words) { first, _ in first }
        guard let position = values["position"].flatMap({ Int($0) }), let at = values["at"].flatMap({ Int($0) }),
            let hash = values["hash"], let key = values["key"], let signature = values["signature"]
        else { return nil }
        return ExportCheckpoint(at: at, hash: hash, key: key, position: position, signature: signature).checkpoint
    }
}

struct ExportCheckpoint: Codable {
    var at: Int
    var hash: String
    var key: String
    var position: Int
    /// The signature in base64 (RFC 4648 §4).
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
        return Checkpoint(position: position, hash: hash, date: Date(milliseconds: at), key: key, signature: signature)
    }
}

struct ExportEnd: Codable {
    /// The highest sequence number that was given; left out if the trail was whole.
    var highest: Int?
    var lines: Int
    var type = ExportType.end

    init(lines: Int, highest: Int?) {
        self.lines = lines
        self.highest = highest
    }
}

struct ExportHead: Codable {
    /// `nil`, with position 0, if the trail is exported from its beginning.
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

/// The type of a line, which every line has.
struct ExportTag: Decodable {
    var type: ExportType
}
