import Foundation

/// The scan of ``StrictJSON``.
struct JSONScan {
    private(set) var nodes: [StrictJSON.Node] = []

    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: JSONLimits
    private let tolerance: JSONTolerance
    private var position = 0
    private var members = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits, _ tolerance: JSONTolerance) {
        self.bytes = bytes
        self.limits = limits
        self.tolerance = tolerance
    }

    mutating func document() throws(JSONError) {
        if tolerance.contains(.byteOrderMark), bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipSpace()
        try value(level: 1)
        skipSpace()
        guard next == nil else { throw error() }
    }

    private func error(_ kind: JSONError.Kind = .notJSON) -> JSONError { JSONError(kind, at: position) }

    // MARK: - Values

    private mutating func value(level: Int) throws(JSONError) {
        switch next {
        case UInt8(ascii: "{"): try object(level: level)
        case UInt8(ascii: "["): try array(level: level)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true", .bool)
        case UInt8(ascii: "f"): try word("false", .bool)
        case UInt8(ascii: "n"): try word("null", .null)
        default: try number()
        }
    }

    private mutating func object(level: Int) throws(JSONError) {
        let node = try open(.object, level: level)
        var (memberCount, last) = (0, nil as Int?)
        while next != UInt8(ascii: "}") {
            let name = nodes.count
            do throws(JSONError) {
                try count()
                try string()
            } catch { throw error.after(last.map { "\"\(text(ofName: $0))\"" }) }
            do throws(JSONError) {
                skipSpace()
                guard skip(UInt8(ascii: ":")) else { throw self.error() }
                skipSpace()
                try value(level: level + 1)
            } catch { throw error.inMember(text(ofName: name)) }
            do throws(JSONError) { try separate(UInt8(ascii: "}")) } catch {
                throw error.after("\"\(text(ofName: name))\"")
            }
            memberCount += 1
            last = name
        }
        close(node)
        if !tolerance.contains(.repeatedName) { try checkNames(of: node, count: memberCount) }
    }

    /// Checks for repeated names when the object is complete, so that one with too many members costs no hashing.
    private func checkNames(of object: Int, count: Int) throws(JSONError) {
        var names = Set<String>(minimumCapacity: count)
        var member = object + 1
        while member < nodes[object].next {
            let name = try text(of: member)
            guard names.insert(name).inserted else {
                throw JSONError(.repeatedName, at: Int(nodes[member].start)).inMember(name)
            }
            member = Int(nodes[member + 1].next)
        }
    }

    private mutating func array(level: Int) throws(JSONError) {
        let node = try open(.array, level: level)
        var index = 0
        while next != UInt8(ascii: "]") {
            try count()
            do throws(JSONError) {
                try value(level: level + 1)
            } catch {
                throw error.inElement(index)
            }
            do throws(JSONError) { try separate(UInt8(ascii: "]")) } catch { throw error.after("[\(index)]") }
            index += 1
        }
        close(node)
    }

    private mutating func open(_ kind: JSONKind, level: Int) throws(JSONError) -> Int {
        guard level <= JSONLimits.maximumDepth else { throw error(.tooDeep) }
        append(kind, from: position)
        position += 1
        skipSpace()
        return nodes.count - 1
    }

    /// Skips what follows a part: a comma, or nothing before the bracket.
    private mutating func separate(_ bracket: UInt8) throws(JSONError) {
        skipSpace()
        if next == bracket { return }
        guard skip(UInt8(ascii: ",")) else { throw error() }
        skipSpace()
        if next == bracket, !tolerance.contains(.trailingComma) { throw error(.trailingComma) }
    }

    private mutating func close(_ node: Int) {
        position += 1
        nodes[node].end = UInt32(truncatingIfNeeded: position)
        nodes[node].next = UInt32(truncatingIfNeeded: nodes.count)
    }

    private mutating func count() throws(JSONError) {
        members += 1
        guard members <= limits.maximumMembers else { throw error(.tooManyMembers(maximum: limits.maximumMembers)) }
    }

    private mutating func append(_ kind: JSONKind, from start: Int, hasEscapes: Bool = false) {
        // The text has fewer than 2^32 bytes, and no more nodes than bytes.
        nodes.append(
            StrictJSON.Node(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: position),
                next: UInt32(truncatingIfNeeded: nodes.count + 1), kind: kind, hasEscapes: hasEscapes))
    }

    // MARK: - Scalars

    private mutating func word(_ word: StaticString, _ kind: JSONKind) throws(JSONError) {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard skip(word.utf8Start[index]) else { throw error() }
        }
        append(kind, from: start)
    }

    private mutating func number() throws(JSONError) {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        guard position - start <= JSONLimits.maximumNumberLength else { throw error() }
        append(.number, from: start)
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        guard position > start else { throw error() }
    }

    private mutating func string() throws(JSONError) {
        let start = position
        guard skip(UInt8(ascii: "\"")) else { throw error() }
        var (hasEscapes, isASCII) = (false, true)
        while true {
            skipPlainWords(&isASCII)
            guard let byte = next else { throw error() }
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                if !isASCII { try checkUTF8(from: start) }
                return append(.string, from: start, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                // Escapes in a row are common, and the search for the next one would cost more than the escape.
                repeat { try escape() } while skip(UInt8(ascii: "\\"))
            case 0..<0x20:
                position -= 1
                throw error()
            default: if byte >= 0x80 { isASCII = false }
            }
        }
    }

    /// Skips eight bytes at a time, up to the first that ends the string, begins an escape or is a control character.
    private mutating func skipPlainWords(_ isASCII: inout Bool) {
        let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        var high: UInt64 = 0
        let raw = UnsafeRawBufferPointer(bytes)
        while position + 8 <= bytes.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let (quotes, escapes) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
            // The usual test for a zero byte in a word; for control characters, for a byte below 0x20. It is right
            // about the first such byte; a borrow may cause false positives behind it.
            let stops =
                ((quotes &- ones) & ~quotes | (escapes &- ones) & ~escapes | (word &- ones &* 0x20) & ~word) & highs
            let plain = stops.trailingZeroBitCount / 8
            high |= plain == 8 ? word : word & (1 << (8 * UInt64(plain)) - 1)
            position += plain
            if plain < 8 { break }
        }
        if high & highs != 0 { isASCII = false }
    }

    private func checkUTF8(from start: Int) throws(JSONError) {
        guard String(validating: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self) != nil else {
            throw JSONError(.notUTF8, at: start)
        }
    }

    /// Scans what follows a backslash.
    private mutating func escape() throws(JSONError) {
        guard let kind = next else { throw error() }
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        case UInt8(ascii: "u"): try fourHexDigits()
        default:
            position -= 1
            throw error()
        }
    }

    private mutating func fourHexDigits() throws(JSONError) {
        let end = position + 4
        if end <= bytes.count {
            let digits = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt32.self)
            if JSONEscapes.areHexDigits(digits) { return position = end }
        }
        // So that the error names the first byte that is none.
        while let digit = next, JSONEscapes.value(ofHexDigit: digit) != nil { position += 1 }
        throw error()
    }

    /// The text of a name, its escapes resolved.
    private func text(of node: Int) throws(JSONError) -> String {
        let (start, end) = (Int(nodes[node].start), Int(nodes[node].end))
        let content = UnsafeBufferPointer(rebasing: bytes[start + 1..<end - 1])
        guard nodes[node].hasEscapes else { return String(decoding: content, as: UTF8.self) }
        guard let text = JSONEscapes.resolved(content) else { throw JSONError(.notJSON, at: start) }
        return text
    }

    /// The text of a name for an error; empty if its escapes are half of a pair.
    private func text(ofName node: Int) -> String { (try? text(of: node)) ?? "" }

    // MARK: - Bytes

    /// The next byte; `nil` at the end.
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() { while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 } }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }
}

/// The type of a JSON value.
package enum JSONKind: UInt8, Sendable {
    case null, bool, number, string, array, object
}

/// Limits on a JSON text, so that its size bounds the cost of decoding it.
package struct JSONLimits: Hashable, Sendable {
    /// The maximum depth of arrays and objects. A catalog has six levels and its metadata a few more; decoders recurse,
    /// and the cost of some for each value is quadratic in the depth.
    package static let maximumDepth = 32
    /// The maximum number of characters of a number; 20 hold any of 64 bits, and some parsers refuse thousands.
    package static let maximumNumberLength = 64

    /// The maximum number of members and elements, of all levels together.
    package var maximumMembers: Int

    /// The limits of one kind of document.
    package init(maximumMembers: Int) { self.maximumMembers = maximumMembers }
}
