/// Writes JSON as `JSONEncoder.canonical` does, without making a tree of values first: it writes what each
/// receipt stores. Its caller gives the members of an object in the order of their names.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// Whether a member or an element was written into the innermost object or array.
    private var isFilled = false

    package init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func object(_ members: (inout JSONWriter) -> Void) { enclose("{", "}", members) }

    package mutating func array(_ elements: (inout JSONWriter) -> Void) { enclose("[", "]", elements) }

    /// Writes the name of a member, whose value is written next.
    ///
    /// - Parameter name: without characters that JSON escapes.
    package mutating func name(_ name: StaticString) {
        element()
        bytes.append(UInt8(ascii: "\""))
        append(literal: name)
        append(literal: "\":")
    }

    /// Writes a name that is known only now.
    package mutating func name(text: String) {
        element()
        append(text)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Begins an element of an array, which is written next.
    package mutating func element() {
        if isFilled { bytes.append(UInt8(ascii: ",")) }
        isFilled = true
    }

    package mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        self.name(name)
        append(value)
    }

    package mutating func member(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        self.name(name)
        append(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        self.name(name)
        append(value)
    }

    package mutating func append(_ value: Int) {
        var text = String(value)
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Appends a number that is written already.
    mutating func append(number text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends a part of a value that is written already, or a whole one.
    package mutating func append(json: some Collection<UInt8>) { bytes.append(contentsOf: json) }

    /// Appends an element of an array that is written already.
    package mutating func element(json: some Collection<UInt8>) {
        element()
        bytes.append(contentsOf: json)
    }

    /// Appends a part of a value.
    package mutating func append(literal text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    /// Appends a part of a value that `write` writes.
    ///
    /// - Parameters:
    ///   - maximum: the room for it, in bytes.
    ///   - write: returns the number of bytes that it wrote.
    package mutating func append(upTo maximum: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
        withUnsafeTemporaryAllocation(byteCount: maximum, alignment: 1) { room in
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: room.prefix(write(room))))
        }
    }

    /// Writes members of an object that are written already, without the braces around them.
    package mutating func members(json: some Collection<UInt8>) {
        guard !json.isEmpty else { return }
        element()
        bytes.append(contentsOf: json)
    }

    package mutating func append(_ value: Bool) { bytes.append(contentsOf: (value ? "true" : "false").utf8) }

    package mutating func appendNull() { bytes.append(contentsOf: "null".utf8) }

    /// Appends a string in its quotes.
    package mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { append(content: $0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends what needs no escapes at once.
    private mutating func append(content: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for (offset, byte) in content.enumerated()
        where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[start..<offset]))
            escape(byte)
            start = offset + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[start...]))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        }
    }

    private mutating func enclose(_ start: Unicode.Scalar, _ end: Unicode.Scalar, _ body: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: start))
        let outer = isFilled
        isFilled = false
        body(&self)
        isFilled = outer
        bytes.append(UInt8(ascii: end))
    }
}
