import Configuration
import Ledger

/// The budgets from the settings: `limits.pendingKilobytesPerAccount`, `limits.rejectedKilobytesPerAddress`, and so on,
/// in units of 1,024 bytes a day.
///
/// A budget that is 0 or not set has its default; `off` switches it off.
extension ReceiptByteBudgets {
    /// A terabyte a day limits nothing.
    private static let maximumKilobytes = 1 << 30

    /// The names under `limits` in a configuration file.
    static let settingNames: Set<String> = Set(
        ["pending", "rejected", "verified"].flatMap { [accountName($0), addressName($0)] })

    private static func accountName(_ kind: String) -> String { "\(kind)KilobytesPerAccount" }
    private static func addressName(_ kind: String) -> String { "\(kind)KilobytesPerAddress" }

    /// - Throws: ``SettingError`` for the first value that is invalid.
    init(_ sources: SettingSources) throws {
        self.init()
        try pending.read("pending", sources)
        try rejected.read("rejected", sources)
        try verified.read("verified", sources)
    }

    fileprivate static func bytes(_ name: String, _ sources: SettingSources) throws -> Int? {
        let expected = "kilobytes up to \(maximumKilobytes), or off"
        let bytes = try sources.value("limits." + name, expected) { reader, key in
            reader.string(forKey: key) == "off"
                ? Int.max : reader.int(forKey: key).flatMap { 0...maximumKilobytes ~= $0 ? $0 * 1_024 : nil }
        }
        return bytes == 0 ? nil : bytes
    }

    fileprivate static func names(_ kind: String) -> (account: String, address: String) {
        (accountName(kind), addressName(kind))
    }
}

extension ReceiptByteBudgets.Budget {
    fileprivate mutating func read(_ kind: String, _ sources: SettingSources) throws {
        let names = ReceiptByteBudgets.names(kind)
        account = try ReceiptByteBudgets.bytes(names.account, sources) ?? account
        address = try ReceiptByteBudgets.bytes(names.address, sources) ?? address
    }
}
