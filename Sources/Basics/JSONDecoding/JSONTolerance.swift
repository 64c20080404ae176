/// Deviations from strict RFC 8259 that are accepted.
package struct JSONTolerance: OptionSet, Sendable {
    /// A byte order mark at the beginning, which parsers may ignore (RFC 8259 §8.1).
    package static let byteOrderMark = JSONTolerance(rawValue: 1)
    /// A comma before a closing bracket, as people write it.
    package static let trailingComma = JSONTolerance(rawValue: 2)
    /// A repeated name in an object; the first one counts.
    package static let repeatedName = JSONTolerance(rawValue: 4)

    /// The tolerance for files that people edit, and for responses of known services.
    package static let known: JSONTolerance = [.byteOrderMark, .trailingComma, .repeatedName]

    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }
}
