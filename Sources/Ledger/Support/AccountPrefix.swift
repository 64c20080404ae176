/// The beginning of an account's ID, as a customer reads it out: eight characters of the UUID or more.
package struct AccountPrefix: Hashable, Sendable {
    /// The minimum number of hexadecimal digits; fewer mean too many accounts.
    package static let minimumDigits = 8
    /// The maximum number of accounts that a search for one lists.
    package static let maximumListed = 50

    private static let digits = 32
    /// The digits that a hyphen of a UUID stands before.
    private static let hyphens: Set<Int> = [8, 12, 16, 20]

    /// The beginning of the UUID in lower case, with its hyphens.
    package let text: String

    /// - Parameter text: hexadecimal digits, in either case, with or without hyphens.
    package init?(_ text: String) {
        let digits = text.filter { $0 != "-" }.lowercased()
        guard (Self.minimumDigits...Self.digits).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isHexDigit)
        else { return nil }
        self.text = digits.enumerated().map { index, digit in
            Self.hyphens.contains(index) ? "-\(digit)" : "\(digit)"
        }.joined()
    }
}

extension UInt8 {
    /// Whether it is a lower-case hexadecimal digit in ASCII.
    fileprivate var isHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
