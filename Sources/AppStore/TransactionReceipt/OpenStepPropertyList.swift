import Foundation
import InAppPurchase

/// A parser for the one form of old-style (OpenStep) property lists in transaction receipts: a dictionary of strings,
/// `{ "key" = "value"; … }`.
///
/// Nothing in it nests, so the parser does not recurse, unlike Foundation's, which reads all property lists.
enum OpenStepPropertyList {
    /// The maximum number of members; genuine receipts have up to 30.
    static let maximumMembers = 100

    /// The members; `nil` for anything else, and for a duplicate key.
    static func members(of text: Data) -> [String: String]? {
        var scanner = Scanner(rest: Array(text)[...])
        var members: [String: String] = [:]
        guard scanner.consume("{") else { return nil }
        while !scanner.consume("}") {
            guard let key = scanner.text(), scanner.consume("="), let value = scanner.text(), scanner.consume(";"),
                members.updateValue(value, forKey: key) == nil, members.count <= maximumMembers
            else { return nil }
        }
        return scanner.isAtEnd ? members : nil
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        var isAtEnd: Bool {
            mutating get {
                skipWhitespace()
                return rest.isEmpty
            }
        }

        mutating func consume(_ character: Unicode.Scalar) -> Bool {
            skipWhitespace()
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        /// Reads a quoted string, with `\` as the escape character, or a bare word.
        mutating func text() -> String? {
            guard consume("\"") else { return word() }
            var text: [UInt8] = []
            while let next = rest.popFirst() {
                switch next {
                case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let escaped = rest.popFirst() else { return nil }
                    text.append(escaped)
                default: text.append(next)
                }
            }
            return nil
        }

        private mutating func word() -> String? {
            let word = rest.prefix {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
            rest = rest.dropFirst(word.count)
            return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
        }

        private mutating func skipWhitespace() { rest = rest.drop { Receipt.Kind.whitespace.contains($0) } }
    }
}
