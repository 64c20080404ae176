import Configuration
import Ledger

/// The budgets from the settings: `limits.pendingKilobytesPerAccount`, `limits.rejectedKilobytesPerAddress`, and so on,
/// in units of 1,024 bytes a day.
///
/// A budget that is 0 or not set has its default; `off` switches it off.
extension ReceiptByteBudgets {
    /// A terabyte a day limits nothing.
    private static let maximumKilobytes = 1 << 30

    /// - Throws: ``/ServerHTTP/SettingError`` for the first value that is invalid.
    package init(_ sources: SettingSources) throws {
        self.init()
        try pending.read("pending", sources)
        try rejected.read("rejected", sources)
        try verified.read("verified", sources)
    }

    fileprivate static func bytes(_ name: String, or standard: Int, _ sources: SettingSources) throws -> Int {
        let expected = "kilobytes up to \(maximumKilobytes), or off"
        let bytes =
            try sources.value("limits.\(name)", expected, default: "\(standard >> 10)") { reader, key in
                reader.string(forKey: key) == "off"
                    ? Int.max : reader.int(forKey: key).flatMap { 0...maximumKilobytes ~= $0 ? $0 * 1_024 : nil }
            } ?? 0
        return bytes == 0 ? standard : bytes
    }
}

extension ReceiptByteBudgets.Budget {
    fileprivate mutating func read(_ kind: String, _ sources: SettingSources) throws {
        account = try ReceiptByteBudgets.bytes("\(kind)KilobytesPerAccount", or: account, sources)
        address = try ReceiptByteBudgets.bytes("\(kind)KilobytesPerAddress", or: address, sources)
    }
}
