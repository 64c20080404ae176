import Basics
import Foundation
import Ledger

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
