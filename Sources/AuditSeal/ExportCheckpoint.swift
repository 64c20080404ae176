import Basics
import Foundation
import InAppPurchase
import Ledger

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
        return Checkpoint(
            position: position, hash: hash, date: Date(milliseconds: at), key: key, signature: signature)
    }
}
