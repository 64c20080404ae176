public import Foundation

/// Writes values in few bytes, for ``CompactReader``: numbers with variable length, dates as the difference from the
/// previous date, and strings that were written before as a number.
public struct CompactWriter {
    /// The bytes since the last ``finishColumn()``.
    private var bytes: [UInt8] = []
    private var texts = CompactTexts()
    private var lastDate = 0

    package init() { bytes.reserveCapacity(64) }

    /// Returns the bytes of this column and begins another one, which may refer to the strings and dates of this one.
    package mutating func finishColumn() -> Data {
        defer { bytes.removeAll(keepingCapacity: true) }
        return Data(bytes)
    }

    /// Writes a number that is 0 or more.
    public mutating func write(count: Int) { write(unsigned: UInt64(clamping: count)) }

    /// Writes the number of elements, and each of them.
    public mutating func write<Element>(_ elements: [Element], _ element: (inout Self, Element) -> Void) {
        write(count: elements.count)
        for next in elements { element(&self, next) }
    }

    /// Writes any whole number; small ones, of either sign, in few bytes.
    public mutating func write(_ number: Int) {
        write(unsigned: UInt64(bitPattern: Int64(number) << 1) ^ UInt64(bitPattern: Int64(number) >> 63))
    }

    /// Writes a date in whole milliseconds.
    public mutating func write(_ date: Date) {
        let time = date.milliseconds
        write(time &- lastDate)
        lastDate = time
    }

    /// Writes any number; whole ones of few digits in few bytes.
    public mutating func write(_ number: Double) { write(unsigned: number.bitPattern.byteSwapped) }

    /// Writes Booleans: at most 7 in one byte, 14 in two.
    public mutating func write(_ flags: [Bool]) {
        write(unsigned: flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
    }

    /// Writes an identifier.
    public mutating func write(_ identifier: some Identifier) { write(identifier.text) }

    /// Writes a string: one that was written before as its number.
    public mutating func write(_ text: String) {
        if let number = texts.number(of: text) { return write(unsigned: CompactTexts.first &+ UInt64(number)) }
        if let digits = CompactTexts.decimal(text) {
            write(unsigned: CompactTexts.decimalNumber)
            write(unsigned: digits)
        } else if let (number, rest) = texts.part(of: text) {
            write(unsigned: CompactTexts.continued)
            write(count: number)
            write(bytes: rest)
        } else {
            write(unsigned: CompactTexts.plain)
            write(bytes: text.utf8)
        }
        texts.add(text)
    }

    private mutating func write(bytes new: some Collection<UInt8>) {
        write(count: new.count)
        bytes += new
    }

    /// Writes bytes that are themselves in another form.
    package mutating func write(data: Data) { write(bytes: data) }

    /// Seven bits per byte, the lowest first; every byte but the last has its highest bit set.
    private mutating func write(unsigned number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

/// A standing that is stored in a compact form, as those of the standard handlers are: in fewer bytes, and faster than
/// others, which are stored as JSON.
///
/// A change of the form needs another ``CondensingHandler/standingVersion``.
public protocol CompactStanding {
    /// Reads what ``write(to:)`` wrote.
    ///
    /// - Throws: ``CompactError`` for other bytes.
    init(from reader: inout CompactReader) throws

    /// Writes the standing.
    func write(to writer: inout CompactWriter)
}
