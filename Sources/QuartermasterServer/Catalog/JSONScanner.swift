import Foundation

/// Finds where values stand in a text that Foundation has decoded already, since Foundation tells no offsets.
///
/// Of any other text it answers nil or something senseless, and never reads beyond the end. Like Foundation it takes a
/// comma before a closing bracket.
struct JSONScanner: Sendable {
    let bytes: [UInt8]

    /// Nil beyond the end.
    subscript(position: Int) -> UInt8? { bytes.indices.contains(position) ? bytes[position] : nil }

    /// The bytes from `start` to before `end`; as many of them as there are.
    func text(from start: Int, to end: Int) -> [UInt8] {
        start < end ? Array(bytes[(start..<end).clamped(to: bytes.indices)]) : []
    }

    func text(_ range: Range<Int>) -> [UInt8] { text(from: range.lowerBound, to: range.upperBound) }

    /// The first string, punctuation mark, number or word at or after the position; nil where there is none.
    func token(at position: Int) -> Range<Int>? {
        var start = position
        while let byte = self[start], byte.isJSONSpace { start += 1 }
        guard let first = self[start] else { return nil }
        if first == .quote { return endOfString(from: start).map { start..<$0 } }
        if first.isJSONPunctuation { return start..<start + 1 }
        var end = start
        while let byte = self[end], byte.isJSONLiteral { end += 1 }
        return end > start ? start..<end : nil
    }

    private func endOfString(from start: Int) -> Int? {
        var position = start + 1
        while let byte = self[position] {
            if byte == .quote { return position + 1 }
            position += byte == .backslash ? 2 : 1
        }
        return nil
    }

    /// The first value at or after the position, to the bracket that closes it.
    func value(at position: Int) -> Range<Int>? {
        guard let first = token(at: position) else { return nil }
        var (last, depth) = (first, nesting(of: first))
        while depth > 0 {
            guard let next = token(at: last.upperBound) else { return nil }
            (last, depth) = (next, depth + nesting(of: next))
        }
        return first.lowerBound..<last.upperBound
    }

    private func nesting(of token: Range<Int>) -> Int {
        switch self[token.lowerBound] {
        case .openBrace, .openBracket: 1
        case .closeBrace, .closeBracket: -1
        default: 0
        }
    }

    /// The values of the array that stands there; of an object, names and values by turns.
    func parts(of container: Range<Int>) -> [Range<Int>]? {
        var (parts, position) = ([Range<Int>](), container.lowerBound + 1)
        while let next = token(at: position), next.upperBound <= container.upperBound {
            if nesting(of: next) < 0 { return parts }
            guard let part = value(at: position), let mark = token(at: part.upperBound) else { return nil }
            parts.append(part)
            position = nesting(of: mark) < 0 ? mark.lowerBound : mark.upperBound
        }
        return nil
    }

    /// The value under the name in the object that stands there. Of several the first, as Foundation has it.
    func member(_ name: String, of object: Range<Int>) -> Range<Int>? {
        guard self[object.lowerBound] == .openBrace, let parts = parts(of: object) else { return nil }
        let place = stride(from: 0, to: parts.count - 1, by: 2).first { string(parts[$0]) == name }
        return place.map { parts[$0 + 1] }
    }

    /// What a string token says, its escapes resolved.
    func string(_ token: Range<Int>) -> String? { try? JSONDecoder().decode(String.self, from: Data(text(token))) }

    /// All tokens of the range, in order.
    func tokens(in range: Range<Int>) -> [Range<Int>] {
        Array(
            sequence(state: range.lowerBound) { position in
                guard let token = token(at: position), token.upperBound <= range.upperBound else { return nil }
                position = token.upperBound
                return token
            })
    }
}

extension UInt8 {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")

    var isLineBreak: Bool { self == .lineFeed || self == .carriageReturn }
    var isJSONSpace: Bool { self == .space || self == .tab || isLineBreak }

    var isJSONPunctuation: Bool {
        switch self {
        case .openBrace, .closeBrace, .openBracket, .closeBracket, .comma, .colon: true
        default: false
        }
    }

    /// What numbers, `true`, `false` and `null` are made of.
    var isJSONLiteral: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
