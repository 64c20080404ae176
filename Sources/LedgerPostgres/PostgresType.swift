import CPostgres
import Foundation
import LedgerSQL

/// Decodes the binary format of values. The type OIDs are those of PostgreSQL's `pg_type.dat`, and never change.
enum PostgresType {
    /// - Returns: `nil` if the ledger does not use the type, or the number is too large.
    static func value(_ bytes: UnsafeRawBufferPointer, type: Oid) -> SQLValue? {
        switch type {
        case 16: bytes.first.map { .integer($0 == 0 ? 0 : 1) }
        case 17: .blob(Data(bytes))
        case 20: integer(Int64.self, bytes)
        case 21: integer(Int16.self, bytes)
        case 23: integer(Int32.self, bytes)
        case 26: integer(UInt32.self, bytes)
        // char, name, text, json, unknown, bpchar, varchar
        case 18, 19, 25, 114, 705, 1042, 1043: .text(StoredText.decode(String(decoding: bytes, as: UTF8.self)))
        case 1700: numeric(bytes).map(SQLValue.integer)
        case 2278: .null
        default: nil
        }
    }

    private static func integer<Number: FixedWidthInteger>(
        _ type: Number.Type, _ bytes: UnsafeRawBufferPointer
    ) -> SQLValue? {
        guard bytes.count == MemoryLayout<Number>.size else { return nil }
        let number = Number(bigEndian: bytes.loadUnaligned(as: Number.self))
        return Int(exactly: number).map(SQLValue.integer)
    }

    /// Decodes a whole `numeric`: four numbers of 16 bits (count of digits, weight of the first, sign, decimals), then
    /// digits to the base 10,000.
    private static func numeric(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let words = stride(from: 0, to: bytes.count - 1, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
        guard words.count >= 4, words.count == 4 + words[0], [0, 0x4000].contains(words[2]) else { return nil }
        let weight = Int(Int16(truncatingIfNeeded: words[1]))
        let digits = words.dropFirst(4)
        // Digits after the decimal point must be zero; missing digits before it are zero.
        guard weight < 5, digits.dropFirst(max(0, weight + 1)).allSatisfy({ $0 == 0 }) else { return nil }
        var total = 0
        for index in 0..<max(0, weight + 1) {
            let digit = index < digits.count ? digits[digits.startIndex + index] : 0
            let (shifted, isTooLarge) = total.multipliedReportingOverflow(by: 10_000)
            let (sum, overflows) = shifted.subtractingReportingOverflow(digit)
            guard !isTooLarge, !overflows else { return nil }
            total = sum
        }
        // Summed as a negative number, whose range is larger by one.
        if words[2] != 0 { return total }
        let (positive, overflows) = (0).subtractingReportingOverflow(total)
        return overflows ? nil : positive
    }
}
