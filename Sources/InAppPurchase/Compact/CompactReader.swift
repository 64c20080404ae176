public import Foundation

/// Reads what ``CompactWriter`` wrote, in the same order.
public struct CompactReader {
    private var bytes: [UInt8]
    private var position = 0
    private var texts = CompactTexts()
    private var lastDate = 0

    package init(_ data: Data) { bytes = Array(data) }

    /// Continues with the bytes of another column.
    package mutating func resume(with data: Data) { (bytes, position) = (Array(data), 0) }

    /// Whether all bytes were read.
    package var isAtEnd: Bool { position == bytes.count }

    /// Reads the number of elements that follow.
    ///
    /// - Throws: ``CompactError`` if fewer bytes than that are left.
    public mutating func readCount() throws(CompactError) -> Int {
        let number = try readUnsigned()
        guard number <= UInt64(bytes.count &- position) else { throw CompactError() }
        return Int(truncatingIfNeeded: number)
    }

    /// Reads the elements of an array.
    public mutating func readArray<Element>(_ element: (inout Self) throws -> Element) throws -> [Element] {
        var elements: [Element] = []
        for _ in 0..<(try readCount()) { elements.append(try element(&self)) }
        return elements
    }

    /// Reads any whole number.
    public mutating func readNumber() throws(CompactError) -> Int {
        let number = try readUnsigned()
        return Int(truncatingIfNeeded: Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
    }

    /// Reads any number.
    public mutating func readDouble() throws(CompactError) -> Double {
        Double(bitPattern: try readUnsigned().byteSwapped)
    }

    /// Reads a date in whole milliseconds.
    public mutating func readDate() throws(CompactError) -> Date {
        lastDate = lastDate &+ (try readNumber())
        return Date(milliseconds: lastDate)
    }

    /// Reads Booleans that were written together.
    public mutating func readFlags() throws(CompactError) -> CompactFlags { CompactFlags(try readUnsigned()) }

    /// Reads an identifier.
    public mutating func readIdentifier<ID: Identifier>() throws(CompactError) -> ID { ID(stored: try readText()) }

    /// Reads a string.
    public mutating func readText() throws(CompactError) -> String {
        let form = try readUnsigned()
        let text: String
        switch form {
        case CompactTexts.plain: text = try decoded(readBytes())
        case CompactTexts.decimalNumber: text = String(try readUnsigned())
        case CompactTexts.continued:
            guard let known = texts[try readUnsigned()] else { throw CompactError() }
            text = known + (try decoded(readBytes()))
        default:
            guard let known = texts[form &- CompactTexts.first] else { throw CompactError() }
            return known
        }
        texts.add(text)
        return text
    }

    private func decoded(_ bytes: ArraySlice<UInt8>) throws(CompactError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw CompactError() }
        return text
    }

    /// Reads bytes that are themselves in another form.
    package mutating func readData() throws(CompactError) -> Data { Data(try readBytes()) }

    private mutating func readBytes() throws(CompactError) -> ArraySlice<UInt8> {
        let count = try readCount()
        defer { position &+= count }
        return bytes[position..<(position &+ count)]
    }

    private mutating func readUnsigned() throws(CompactError) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
            shift += 7
        }
        throw CompactError()
    }
}

/// Booleans that were written together; each is read once, in order.
public struct CompactFlags {
    private var rest: UInt64

    init(_ bits: UInt64) { rest = bits }

    /// Returns the next flag.
    public mutating func next() -> Bool {
        defer { rest >>= 1 }
        return rest & 1 == 1
    }
}

/// Bytes that are not in the compact form.
public struct CompactError: Error {
    /// An error that says no more.
    public init() {}
}
