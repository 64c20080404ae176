import Basics
import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP
import StrictJSON

/// A member of a catalog's entry, as fields of a form show it.
struct ProductMember: Sendable {
    enum Kind: Sendable {
        case text
        /// A string, and the words for it. The first choice is what a missing member means; `usual` means the same.
        case choice([(value: String, words: String)], usual: String? = nil)
        /// A value that is `true` or missing.
        case flag
        /// An RFC 3339 time of whole seconds.
        case time
        case number(ClosedRange<Int>)
        /// A first and a last number, such as `0-49`.
        case range(ClosedRange<Int>)
        /// Strings, one a line.
        case lines
        /// Numbers by name, such as `hints 10`, one a line.
        case amounts
        /// A number or a string, whichever it looks like: a setting of a product type.
        case word
        case json
        /// An object with these members.
        case object([ProductMember])
        case rows(MemberRows)
        /// Whom the sandbox admits, and until when.
        case sandbox
    }

    /// The prefix of the names of these fields, since the form has others too.
    private static let prefix = "member-"
    /// The name of the field for the type of a product.
    static let typeField = prefix + "type"

    let name: String
    let label: String
    let hint: String?
    let kind: Kind
    /// The label of the field for the member's JSON, if its value fits no other field; `nil` for none.
    let rawLabel: String?
    /// Suggestions for a field in which anything can be typed.
    var suggestions: [(value: String, text: String)] = []

    init(_ name: String, _ label: String, rawLabel: String? = nil, _ kind: Kind, hint: String? = nil) {
        self.name = name
        self.label = label
        self.rawLabel = rawLabel
        self.hint = hint
        self.kind = kind
    }

    /// The same member as JSON.
    private var raw: ProductMember? {
        rawLabel.map { ProductMember(name, $0, .json, hint: "The raw view: a JSON object for the app.") }
    }

    /// The member with the texts of its fields for an entry; `nil` if no field could show its value.
    func shown(in entry: JSONPart) -> (member: ProductMember, texts: [String: String])? {
        let value = entry[name]
        return texts(of: value).map { (self, $0) } ?? raw.flatMap { raw in raw.texts(of: value).map { (raw, $0) } }
    }

    /// The name of its field, or of the first of them.
    var fieldName: String { Self.prefix + name }

    // MARK: One field

    func field(_ text: String, as name: String) -> Field {
        switch kind {
        case .text, .word, .range:
            let field = Field.input(label, name: name, value: text, hint: hint, isRequired: false)
            return suggestions.isEmpty ? field : field.suggesting(suggestions)
        case .number: return .input(label, name: name, type: "number", value: text, hint: hint, isRequired: false)
        case .time: return .time(label, name: name, value: text, hint: hint)
        case .lines, .amounts: return .area(label, name: name, value: text, rows: 3, hint: hint)
        case .json: return .area(label, name: name, value: text, rows: 6, hint: hint)
        case .choice(let words, let usual):
            let options = words.map { ($0.value.isEmpty && text == usual ? text : $0.value, $0.words) }
            return .choice(label, name: name, options, selected: text, hint: hint)
        case .flag:
            let no = text == "false" ? text : ""
            return .choice(label, name: name, [(no, "No"), ("true", "Yes")], selected: text, hint: hint)
        case .object, .rows, .sandbox: return .group(label, [])
        }
    }

    /// The text of the field; `nil` for a value that the field would not return unchanged.
    func text(of value: JSONPart?) -> String? {
        guard let value else { return "" }
        guard let text = plainText(of: value), text == text.trimmed, !text.isEmpty,
            !text.unicodeScalars.contains(where: { $0.isHiddenInPages || $0 == "\r" || $0 == "\n" && !hasLines }),
            let again = json(of: text), again.isSameJSON(as: value)
        else { return nil }
        return text
    }

    /// Whether the field has several lines; one with a single line loses the line breaks.
    private var hasLines: Bool {
        switch kind {
        case .lines, .amounts, .json: true
        default: false
        }
    }

    private func plainText(of value: JSONPart) -> String? {
        switch kind {
        case .text: value.string
        case .choice(let words, let usual):
            value.string.flatMap { text in text == usual || words.contains { $0.value == text } ? text : nil }
        case .time: value.string.flatMap { Date(rfc3339: $0) }.map(\.formTime)
        case .range: value.elements.map(\.plainText).joined(separator: "-")
        case .lines: value.kind == .array ? value.elements.map { $0.string ?? "" }.joined(separator: "\n") : nil
        case .amounts: value.members.map { "\($0.name.string ?? "") \($0.value.plainText)" }.joined(separator: "\n")
        case .word: value.string.map { Self.isWord($0) ? $0 : value.plainText } ?? value.plainText
        case .number, .flag: value.plainText
        case .json: value.text.entryLines
        case .object, .rows, .sandbox: nil
        }
    }

    /// The JSON that a text in the field means; `nil` for an empty one, which means no such member. The catalog refuses
    /// what makes no sense.
    func json(of text: String) -> Data? {
        guard !text.isEmpty else { return nil }
        switch kind {
        case .text, .choice: return text.jsonText
        case .time: return (Date(formTime: text)?.rfc3339 ?? text).jsonText
        case .word: return Self.isWord(text) ? text.jsonText : Data(text.utf8)
        case .number, .flag, .json: return Data(text.utf8)
        case .range: return Data("[\(text.split(separator: "-").joined(separator: ", "))]".utf8)
        case .lines:
            return Data.array(text.split(whereSeparator: \.isNewline).map { String($0).trimmed.jsonText })
        case .amounts: return Data.object(text.split(whereSeparator: \.isNewline).map { Self.amount($0) })
        case .object, .rows, .sandbox: return nil
        }
    }

    private static func amount(_ line: Substring) -> (name: String, value: Data) {
        let line = String(line).trimmed
        let end = line.lastIndex(of: " ") ?? line.endIndex
        let (name, number) = (String(line[..<end]).trimmed, String(line[end...]).trimmed)
        return (name, isWord(number) ? number.jsonText : Data(number.utf8))
    }

    /// Whether a text is a plain word, and no number or other JSON.
    private static func isWord(_ text: String) -> Bool {
        (try? StrictJSON(Data(text.utf8), ProductEntry.limits)) == nil
    }

    /// The mistake in a text, in words of the form; `nil` for what the catalog may accept.
    func mistake(in text: String) -> String? {
        guard !text.isEmpty else { return nil }
        switch kind {
        case .choice(let words, let usual):
            return text == usual || words.contains { $0.value == text } ? nil : "Choose one of these."
        case .flag: return ["true", "false"].contains(text) ? nil : "Choose one of these."
        case .time: return Date(formTime: text) == nil ? "Write date and time such as 2026-12-01 00:00, in UTC." : nil
        case .number(let numbers):
            guard Int(text).map(numbers.contains) != true else { return nil }
            let end = numbers.upperBound == .max ? "on" : "to \(numbers.upperBound)"
            return "Write a whole number from \(numbers.lowerBound) \(end)."
        case .range(let bounds):
            let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            if numbers.count == 2, let first = numbers[0], let last = numbers[1], first <= last,
                bounds.contains(first), bounds.contains(last)
            {
                return nil
            }
            return "Write two numbers from \(bounds.lowerBound) to \(bounds.upperBound), such as 0-49."
        case .amounts:
            let isWrong = text.split(whereSeparator: \.isNewline).contains { line in
                let amount = Self.amount(line)
                let number = Int(String(decoding: amount.value, as: UTF8.self))
                return amount.name.isEmpty || number.map(Product.creditBounds.contains) != true
            }
            return isWrong ? "Write a currency and a whole number from 1 on each line, such as hints 10." : nil
        case .json:
            do {
                let json = try StrictJSON(Data(text.utf8), ProductEntry.limits)
                return json.root.kind == .object ? nil : "Write a JSON object, such as {\"title\": \"Shop\"}."
            } catch { return "This is not JSON: see line \(error.line), column \(error.column)." }
        default: return nil
        }
    }
}

extension ProductMember {
    /// The value in words.
    func words(for value: JSONPart, _ visit: Visit) -> String? {
        switch kind {
        case .time: value.string.flatMap { Date(rfc3339: $0) }.map { visit.time($0).text }
        case .choice(let words, let usual):
            value.string.flatMap { text in words.first { $0.value == (text == usual ? "" : text) }?.words }
        case .flag: value.bool.map { $0 ? "Yes" : "No" }
        case .sandbox: sandboxWords(for: value, visit)
        default: nil
        }
    }
}

extension Data {
    /// Whether both mean the same.
    func isSameJSON(as value: JSONPart) -> Bool {
        guard let root = try? StrictJSON(self, ProductEntry.limits).root, let own = JSONValue(root),
            let other = JSONValue(value)
        else { return false }
        return own == other
    }
}

extension JSONPart {
    var plainText: String { String(decoding: text.plainJSON, as: UTF8.self) }
}

extension Date {
    /// A time in UTC as browsers send it, or as it can be typed: the day alone, or with a time.
    init?(formTime text: String) {
        let plain = text.replacing(" ", with: "T").replacing("Z", with: "")
        let seconds = plain.contains("T") ? plain.count(where: { $0 == ":" }) > 1 ? "Z" : ":00Z" : "T00:00:00Z"
        self.init(rfc3339: plain + seconds)
    }

    /// The time in UTC in the shortest form, which browsers send back unchanged.
    var formTime: String {
        let text = rfc3339.replacing("Z", with: "")
        return text.hasSuffix(":00") && text.count(where: { $0 == ":" }) > 1 ? String(text.dropLast(3)) : text
    }
}
