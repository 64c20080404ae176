import Crypto
import Foundation

/// A checksum of a table: the number of rows, and the sum of their SHA-256, in any order.
///
/// It detects accidental differences. An attacker who chooses rows may well find others with the same sum; the seals of
/// the audit trail protect against that.
struct TableSum: Hashable, Sendable {
    private(set) var rows = 0
    /// Four sums, each with wrapping addition.
    private(set) var sum: SIMD4<UInt64> = .zero

    mutating func add(_ row: [SQLValue]) {
        var bytes = Data()
        for value in row { value.append(to: &bytes) }
        var parts: [UInt64] = []
        SHA256.hash(data: bytes).withUnsafeBytes { digest in
            parts = stride(from: 0, to: digest.count, by: 8).map {
                digest.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
            }
        }
        for (index, part) in parts.prefix(4).enumerated() { sum[index] &+= UInt64(littleEndian: part) }
        rows += 1
    }

    /// One fingerprint for all tables of a ledger.
    static func fingerprint(_ sums: [TableSum]) -> String {
        var bytes = Data()
        for (table, sum) in zip(LedgerTable.all, sums) {
            SQLValue.text(table.name).append(to: &bytes)
            SQLValue.integer(sum.rows).append(to: &bytes)
            for index in 0..<4 { SQLValue.integer(Int(truncatingIfNeeded: sum.sum[index])).append(to: &bytes) }
        }
        return Data(SHA256.hash(data: bytes)).map { String(format: "%02x", $0) }.joined()
    }
}

extension SQLValue {
    /// An injective encoding: each value has its kind and its length before it.
    fileprivate func append(to bytes: inout Data) {
        switch self {
        case .null: bytes.append(0)
        case .integer(let number):
            bytes.append(1)
            bytes.append(bigEndian: number)
        case .text(let text):
            bytes.append(2)
            bytes.append(bigEndian: text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        case .blob(let data):
            bytes.append(3)
            bytes.append(bigEndian: data.count)
            bytes.append(data)
        }
    }
}

extension Data {
    fileprivate mutating func append(bigEndian number: Int) {
        Swift.withUnsafeBytes(of: Int64(number).bigEndian) { append(contentsOf: $0) }
    }
}
