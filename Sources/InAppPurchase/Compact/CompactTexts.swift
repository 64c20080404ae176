/// The texts that a compact form has named, and how they are named again.
struct CompactTexts {
    /// A text in full.
    static let plain: UInt64 = 0
    /// A text of decimal digits, as the number.
    static let decimalNumber: UInt64 = 1
    /// A text that begins with a known one and a full stop, as product IDs do with the bundle ID.
    static let continued: UInt64 = 2
    /// The first known text.
    static let first: UInt64 = 3

    /// The maximum number of texts that are known: each new one is compared with all.
    private static let maximumCount = 48

    /// Part of the stored form: others need another version of the rule.
    private static let usual = [
        Environment.production.rawValue, Environment.sandbox.rawValue, Environment.xcode.rawValue,
        ProductType.consumable.rawValue, ProductType.nonConsumable.rawValue, ProductType.nonRenewing.rawValue,
        ProductType.autoRenewable.rawValue, "FAMILY_SHARED", "ASSIGNED", "PURCHASE", "RENEWAL", "FREE_TRIAL",
        "PAY_AS_YOU_GO", "PAY_UP_FRONT",
    ]

    private var known = usual

    mutating func add(_ text: String) { if known.count < Self.maximumCount { known.append(text) } }

    /// By its bytes: texts that are equal to a reader may have others.
    func number(of text: String) -> Int? {
        known.firstIndex { $0.utf8.count == text.utf8.count && text.beginsWithBytes(of: $0) }
    }

    subscript(number: UInt64) -> String? {
        Int(exactly: number).flatMap { known.indices.contains($0) ? known[$0] : nil }
    }

    /// The longest known text that the text continues after a full stop, and the bytes from that on.
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

    /// The number that has this text; `nil` if no number of 64 bits has exactly these digits.
    static func decimal(_ text: String) -> UInt64? {
        let digits = text.utf8
        guard digits.count <= 20, let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return UInt64(text)
    }
}

extension String {
    /// In place of `utf8.starts(with:)`, which asks a string for each byte by itself.
    fileprivate func beginsWithBytes(of other: String) -> Bool {
        var (text, start) = (self, other)
        return text.withUTF8 { text in start.withUTF8 { text.prefix($0.count).elementsEqual($0) } }
    }
}
