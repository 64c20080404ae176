import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP
import StrictJSON

/// A member of a product's entry, as a field of a form shows it.
struct ProductMember: Sendable {
    enum Kind: Sendable {
        case text
        /// Strings, one a line.
        case lines
        /// Numbers by name, such as `hints 10`, one a line.
        case amounts
        /// A number or a string, whichever it looks like.
        case word
        case choice([String])
        case json
    }

    /// The prefix of the names of these fields, since the form has others too.
    private static let prefix = "member-"

    let name: String
    let label: String
    let hint: String?
    let kind: Kind

    init(_ name: String, _ label: String, _ kind: Kind, hint: String? = nil) {
        self.name = name
        self.label = label
        self.hint = hint
        self.kind = kind
    }

    var fieldName: String { Self.prefix + name }

    func field(_ text: String) -> Field {
        switch kind {
        case .text, .word: .input(label, name: fieldName, value: text, hint: hint, isRequired: false)
        case .lines, .amounts: .area(label, name: fieldName, value: text, rows: 3, hint: hint)
        case .json: .area(label, name: fieldName, value: text, rows: 6, hint: hint)
        case .choice(let words):
            .choice(label, name: fieldName, [("", "not said")] + words.map { ($0, $0) }, selected: text, hint: hint)
        }
    }

    /// The text of the field; `nil` for a value that the field would not return unchanged, which then is edited as
    /// JSON.
    func text(of value: JSONPart?) -> String? {
        guard let value else { return "" }
        guard let text = plainText(of: value), text == text.trimmed, !text.isEmpty,
            !text.unicodeScalars.contains(where: { $0.isHiddenInPages || $0 == "\r" || $0 == "\n" && !hasLines }),
            let again = json(of: text), let part = try? StrictJSON(again, ProductEntry.limits).root,
            let (first, second) = JSONValue(part).flatMap({ first in JSONValue(value).map { (first, $0) } }),
            first == second
        else { return nil }
        return text
    }

    /// Whether the field has several lines; one with a single line loses the line breaks.
    private var hasLines: Bool {
        switch kind {
        case .lines, .amounts, .json: true
        case .text, .word, .choice: false
        }
    }

    private func plainText(of value: JSONPart) -> String? {
        switch kind {
        case .text: value.string
        case .choice(let words): value.string.flatMap { words.contains($0) ? $0 : nil }
        case .lines: value.kind == .array ? value.elements.map { $0.string ?? "" }.joined(separator: "\n") : nil
        case .amounts: value.members.map { "\($0.name.string ?? "") \($0.value.plainText)" }.joined(separator: "\n")
        case .word: value.string.map { Self.isWord($0) ? $0 : value.plainText } ?? value.plainText
        case .json: value.text.entryLines
        }
    }

    /// The JSON that a text in the field means; `nil` for an empty one, which means no such member. The catalog refuses
    /// what makes no sense.
    func json(of text: String) -> Data? {
        guard !text.isEmpty else { return nil }
        switch kind {
        case .text, .choice: return text.jsonText
        case .word: return Self.isWord(text) ? text.jsonText : Data(text.utf8)
        case .json: return Data(text.utf8)
        case .lines:
            let texts = text.split(whereSeparator: \.isNewline).map { String($0).trimmed.jsonText }
            return Data("[".utf8) + Data(texts.joined(separator: Data(", ".utf8))) + Data("]".utf8)
        case .amounts:
            let pairs = text.split(whereSeparator: \.isNewline).map { Self.amount(String($0).trimmed) }
            return Data("{".utf8) + Data(pairs.joined(separator: Data(", ".utf8))) + Data("}".utf8)
        }
    }

    private static func amount(_ line: String) -> Data {
        let end = line.lastIndex(of: " ") ?? line.endIndex
        let (name, number) = (String(line[..<end]).trimmed, String(line[end...]).trimmed)
        return name.jsonText + Data(": ".utf8) + (isWord(number) ? number.jsonText : Data(number.utf8))
    }

    /// Whether a text is a plain word, and no number or other JSON.
    private static func isWord(_ text: String) -> Bool {
        (try? StrictJSON(Data(text.utf8), ProductEntry.limits)) == nil
    }
}

extension JSONPart {
    fileprivate var plainText: String { String(decoding: text.plainJSON, as: UTF8.self) }
}
