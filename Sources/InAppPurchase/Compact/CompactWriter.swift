package import Foundation

/// Writes values in few bytes, for ``CompactReader``: numbers by their size, dates as the difference from the date before,
/// and texts that were written before as their number.
package struct CompactWriter {
    /// The bytes since the last ``finishColumn()``.
    private var bytes: [UInt8] = []
    private var texts = CompactTexts()
    private var lastDate = 0

    package init() { bytes.reserveCapacity(64) }

    /// Returns what was written, and goes on in another column: what was written before is known there.
    package mutating func finishColumn() -> Data {
        defer { bytes.removeAll(keepingCapacity: true) }
        return Data(bytes)
    }

    /// Writes a number that is 0 or more.
    package mutating func write(count: Int) { write(unsigned: UInt64(clamping: count)) }

    /// Writes any whole number; small ones, of either sign, in few bytes.
    package mutating func write(_ number: Int) {
        write(unsigned: UInt64(bitPattern: Int64(number) << 1) ^ UInt64(bitPattern: Int64(number) >> 63))
    }

    /// Writes a date in whole milliseconds.
    package mutating func write(_ date: Date) {
        let time = date.milliseconds
        write(time &- lastDate)
        lastDate = time
    }

    /// Writes any number; whole ones of few digits in few bytes.
    package mutating func write(_ number: Double) { write(unsigned: number.bitPattern.byteSwapped) }

    /// Writes truth values, at most 16 for one byte or two.
    package mutating func write(_ flags: [Bool]) {
        write(unsigned: flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
    }

    package mutating func write(_ identifier: some Identifier) { write(identifier.text) }

    package mutating func write(_ text: String) {
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

    /// Writes bytes of another form.
    package mutating func write(data: Data) { write(bytes: data) }

    /// Seven bits a byte, the lowest first; the last byte has no highest bit.
    private mutating func write(unsigned number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
