import Foundation
import InAppPurchase
import Logging

/// The form of the log's lines. In each, a line is one event, whatever a client sent.
package enum LogFormat: String, CaseIterable, Sendable {
    /// Time, level, message, and the fields by name as in logfmt: `name=value`, the value in quotes unless it is plain.
    case text
    /// A JSON object: `time`, `level`, `message`, and the fields by name.
    case json
}

extension LogFormat {
    /// The initial capacity of a line in bytes: most are not longer, and none is copied while it grows to it.
    private static let usualLength = 320
    /// Members of each object; a field with such a name gets another.
    private static let ownNames = ["time", "level", "message"]

    /// The line of an event, with the line feed.
    func line(at time: String, _ level: Logger.Level, _ message: String, _ fields: Logger.Metadata) -> String {
        var line = ""
        line.reserveCapacity(Self.usualLength)
        let sorted = fields.sorted { $0.key < $1.key }
        switch self {
        case .text:
            line += time
            line += " "
            line += level.rawValue
            line += " "
            line.append(escaping: message, inQuotes: false)
            for (name, value) in sorted { line.appendLogfmt(name, value) }
        case .json:
            line += "{\"time\":\"\(time)\",\"level\":\"\(level.rawValue)\",\"message\":"
            line.appendQuoted(message)
            for (name, value) in sorted { line.appendMember(Self.ownNames.contains(name) ? name + "_" : name, value) }
            line += "}"
        }
        line += "\n"
        return line
    }
}

extension String {
    fileprivate mutating func appendLogfmt(_ name: String, _ value: Logger.MetadataValue) {
        self += " "
        appendPlainOrQuoted(name)
        self += "="
        switch value {
        case .string(let text): appendPlainOrQuoted(text)
        case .stringConvertible(let value): appendPlainOrQuoted(value.description)
        case .array, .dictionary:
            var json = ""
            json.appendJSON(value)
            appendPlainOrQuoted(json)
        }
    }

    private mutating func appendPlainOrQuoted(_ text: String) {
        if !text.isEmpty, text.utf8.allSatisfy(\.isPlain) { self += text } else { appendQuoted(text) }
    }

    fileprivate mutating func appendMember(_ name: String, _ value: Logger.MetadataValue) {
        self += ","
        appendQuoted(name)
        self += ":"
        appendJSON(value)
    }

    private mutating func appendJSON(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): appendQuoted(text)
        case .stringConvertible(let number as Int): self += "\(number)"
        case .stringConvertible(let number as Double) where number.isFinite: self += "\(number)"
        case .stringConvertible(let value): appendQuoted(value.description)
        case .array(let values): append("[", values, "]") { $0.appendJSON($1) }
        case .dictionary(let members):
            append("{", members.sorted { $0.key < $1.key }, "}") { text, member in
                text.appendQuoted(member.key)
                text += ":"
                text.appendJSON(member.value)
            }
        }
    }

    private mutating func append<Item>(
        _ start: String, _ items: [Item], _ end: String, _ append: (inout String, Item) -> Void
    ) {
        self += start
        for (index, item) in items.enumerated() {
            if index > 0 { self += "," }
            append(&self, item)
        }
        self += end
    }

    /// Appends a string of JSON, which logfmt has the same.
    fileprivate mutating func appendQuoted(_ text: String) {
        self += "\""
        append(escaping: text, inQuotes: true)
        self += "\""
    }

    /// Appends the text on one line. What could end the line, cut it off or disguise it is escaped as in JSON: control
    /// characters, line and paragraph separators, and bidirectional controls.
    ///
    /// - Parameter inQuotes: whether quotes and backslashes are escaped too.
    fileprivate mutating func append(escaping text: String, inQuotes: Bool) {
        // Most are printable ASCII, and need no look-up in Unicode's tables.
        guard text.utf8.contains(where: { $0.isNoASCIIText || inQuotes && $0.isEscapedInQuotes }) else {
            self += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": self += "\\n"
            case "\r": self += "\\r"
            case "\t": self += "\\t"
            case "\"" where inQuotes: self += "\\\""
            case "\\" where inQuotes: self += "\\\\"
            case _ where scalar.isControlCharacter || scalar.properties.isBidiControl:
                // All of them have at most four digits.
                self += String(format: "\\u%04x", scalar.value)
            default: unicodeScalars.append(scalar)
            }
        }
    }
}

extension UInt8 {
    /// Whether it is none of printable ASCII.
    fileprivate var isNoASCIIText: Bool { !(0x20...0x7E).contains(self) }

    fileprivate var isEscapedInQuotes: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }

    /// Whether a value of logfmt with it needs no quotes.
    fileprivate var isPlain: Bool {
        (0x21...0x7E).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "=")
    }
}
