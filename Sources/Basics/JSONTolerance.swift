/// What is read although RFC 8259 does not allow it, or not clearly.
package struct JSONTolerance: OptionSet, Sendable {
    /// A byte order mark at the beginning, which parsers may ignore (RFC 8259 §8.1).
    package static let byteOrderMark = JSONTolerance(rawValue: 1)
    /// A comma before a closing bracket, as people write it.
    package static let trailingComma = JSONTolerance(rawValue: 2)
    /// A name that stands twice in an object; the first one counts.
    package static let repeatedName = JSONTolerance(rawValue: 4)

    /// Files that people edit, and answers of services that we know.
    package static let known: JSONTolerance = [.byteOrderMark, .trailingComma, .repeatedName]

    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }
}
