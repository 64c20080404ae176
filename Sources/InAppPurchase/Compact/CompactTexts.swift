/// The strings that a compact form writes as a number: a few usual ones, and those that it had before.
struct CompactTexts {
    /// A string in full.
    static let plain: UInt64 = 0
    /// A string of decimal digits, written as the number.
    static let decimalNumber: UInt64 = 1
    /// A known string, a full stop and more, as product IDs begin with the bundle ID.
    static let continued: UInt64 = 2
    /// The first known string.
    static let first: UInt64 = 3

    /// The maximum number of known strings: each new one is compared with all.
    private static let maximumCount = 48

    /// Part of the stored form: a change needs another ``CondensingHandler/standingVersion``.
    private static let usual = [
        Environment.production.rawValue, Environment.sandbox.rawValue, Environment.xcode.rawValue,
        ProductType.consumable.rawValue, ProductType.nonConsumable.rawValue, ProductType.nonRenewing.rawValue,
        ProductType.autoRenewable.rawValue, "FAMILY_SHARED", "ASSIGNED", "PURCHASE", "RENEWAL", "FREE_TRIAL",
        "PAY_AS_YOU_GO", "PAY_UP_FRONT",
    ]

    private var known = usual

    mutating func add(_ text: String) { if known.count < Self.maximumCount { known.append(text) } }

    /// The number of a known string, compared byte by byte: strings that are equal in Swift may differ in their bytes.
    func number(of text: String) -> Int? {
        known.firstIndex { $0.utf8.count == text.utf8.count && text.beginsWithBytes(of: $0) }
    }

    subscript(number: UInt64) -> String? {
        Int(exactly: number).flatMap { known.indices.contains($0) ? known[$0] : nil }
    }

    /// The longest known string that `text` continues after a full stop, and the bytes from the full stop on.
    func part(of text: String) -> (number: Int, rest: Substring.UTF8View)? {
        let parts = known.indices.filter { index in
            let count = known[index].utf8.count
            return text.utf8.count > count && text.beginsWithBytes(of: known[index])
                && text.utf8.dropFirst(count).first == UInt8(ascii: ".")
        }
        return parts.max { known[$0].utf8.count < known[$1].utf8.count }.map {
            ($0, text.utf8.dropFirst(known[$0].utf8.count))
        }
    }

    /// The number with exactly these digits; `nil` if no number of 64 bits has them.
    static func decimal(_ text: String) -> UInt64? {
        let digits = text.utf8
        guard digits.count <= 20, let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return UInt64(text)
    }
}

extension String {
    /// Used in place of `utf8.starts(with:)`, which fetches each byte separately.
    fileprivate func beginsWithBytes(of other: String) -> Bool {
        var (text, start) = (self, other)
        return text.withUTF8 { text in start.withUTF8 { text.prefix($0.count).elementsEqual($0) } }
    }
}
