import Foundation
import LedgerSQL

/// The arguments of one statement in the form that libpq takes.
///
/// Integers and strings are sent in text format and bytes in binary format. No types are sent: the server infers them
/// from the places of the placeholders, and a prepared statement must not depend on its first arguments.
struct PostgresArguments {
    private var bytes: [UInt8] = []
    /// The offset of each argument; `nil` for NULL.
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    var count: Int { offsets.count }
    /// The approximate size in bytes.
    var size: Int { bytes.count }

    /// - Returns: `nil` if one is too long for the protocol.
    init?(_ arguments: SQLArguments) {
        for argument in arguments {
            switch argument?.sqlValue ?? .null {
            case .null: appendNull()
            case .integer(let number): append(String(number).utf8)
            case .text(let text): append(StoredText.encode(text).utf8)
            case .blob(let data): append(data, isBinary: true)
            }
        }
        guard bytes.count <= Int32.max else { return nil }
    }

    private mutating func append(_ value: some Collection<UInt8>, isBinary: Bool = false) {
        offsets.append(bytes.count)
        lengths.append(Int32(clamping: value.count))
        formats.append(isBinary ? 1 : 0)
        bytes.append(contentsOf: value)
        // Strings end with a zero, so that an empty value has an address too.
        bytes.append(0)
    }

    private mutating func appendNull() {
        offsets.append(nil)
        lengths.append(0)
        formats.append(0)
    }

    /// Calls `body` with libpq's parameter arrays, which are valid until `body` returns.
    func withPointers<Result>(_ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result) -> Result {
        bytes.withUnsafeBytes { raw in
            let base = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
            return body(offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }, lengths, formats)
        }
    }
}
