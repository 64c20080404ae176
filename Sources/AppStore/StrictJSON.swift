import Foundation
import InAppPurchase

/// An object of JSON to the letter (RFC 8259) in which no name stands twice, at any depth.
///
/// Foundation takes more: a comma before a bracket, bytes that are no UTF-8 where they are not read, and of a member that
/// stands twice the first, where other parsers take the last. What two parsers read differently says nothing for certain
/// (RFC 7515 §4, RFC 7519 §4: names must be unique).
struct StrictJSON {
    /// Levels of arrays and objects; the store's data has five, and recursion must end.
    static let deepest = 128
    /// Characters of a number; 20 hold any of 64 bits, and some parsers refuse thousands.
    static let longestNumber = 64

    private let bytes: [UInt8]
    private var position = 0

    /// - Throws: `malformed`
    static func check(_ json: Data) throws(ReceiptRejection) {
        guard String(validating: json, as: UTF8.self) != nil else {
            throw ReceiptRejection(.malformed, "JSON that is not UTF-8")
        }
        var text = StrictJSON(bytes: Array(json))
        text.skipSpace()
        try text.object(level: 1)
        text.skipSpace()
        guard text.next == nil else { throw notJSON }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static let notJSON = ReceiptRejection(.malformed, "not an object of JSON")

    // MARK: - Values

    private mutating func value(level: Int) throws(ReceiptRejection) {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): try object(level: level)
        case UInt8(ascii: "["): try array(level: level)
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try expect("true")
        case UInt8(ascii: "f"): try expect("false")
        case UInt8(ascii: "n"): try expect("null")
        default: try number()
        }
        skipSpace()
    }

    private mutating func object(level: Int) throws(ReceiptRejection) {
        guard level <= Self.deepest else { throw Self.notJSON }
        try expect("{")
        skipSpace()
        if take("}") { return }
        var names: Set<String> = []
        repeat {
            skipSpace()
            guard names.insert(try name()).inserted else {
                throw ReceiptRejection(.malformed, "JSON with a member twice")
            }
            skipSpace()
            try expect(":")
            try value(level: level + 1)
        } while take(",")
        try expect("}")
    }

    private mutating func array(level: Int) throws(ReceiptRejection) {
        guard level <= Self.deepest else { throw Self.notJSON }
        try expect("[")
        skipSpace()
        if take("]") { return }
        repeat { try value(level: level + 1) } while take(",")
        try expect("]")
    }

    private mutating func number() throws(ReceiptRejection) {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        guard position - start <= Self.longestNumber else { throw Self.notJSON }
    }

    private mutating func digits() throws(ReceiptRejection) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw Self.notJSON }
    }

    // MARK: - Strings

    /// What the string says that stands there, its escapes resolved.
    private mutating func name() throws(ReceiptRejection) -> String {
        let text = bytes[try string()]
        guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
        guard let name = try? JSONDecoder().decode(String.self, from: Data(text)) else { throw Self.notJSON }
        // In quotes as the others are.
        return "\"\(name)\""
    }

    /// Where it stands, with its quotes.
    private mutating func string() throws(ReceiptRejection) -> Range<Int> {
        let start = position
        try expect("\"")
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return start..<position
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw Self.notJSON
            default: break
            }
        }
        throw Self.notJSON
    }

    /// What follows a backslash.
    private mutating func escape() throws(ReceiptRejection) {
        guard let kind = next else { throw Self.notJSON }
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard let digit = next, Character(UnicodeScalar(digit)).isHexDigit else { throw Self.notJSON }
                position += 1
            }
        default: throw Self.notJSON
        }
    }

    // MARK: - Bytes

    /// Nil at the end.
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ word: String) throws(ReceiptRejection) {
        for character in word.unicodeScalars {
            guard take(character) else { throw Self.notJSON }
        }
    }
}
