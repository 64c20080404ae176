import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// A SHA-256 in lower-case hexadecimal, the name of some content.
struct ContentHash: Hashable, Sendable {
    let text: String

    /// `nil` if the string is not 64 hexadecimal digits in lower case.
    init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.text = text
    }

    init(of bytes: Data) { self.init(SHA256.hash(data: bytes)) }

    /// Reads the file in pieces, so that memory does not grow with it.
    init(of file: URL) throws {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var hash = SHA256()
        while try Self.readPiece(of: handle, into: &hash) {}
        self.init(hash.finalize())
    }

    private init(_ digest: SHA256.Digest) {
        text = digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// - Returns: whether there may be more.
    private static func readPiece(of handle: FileHandle, into hash: inout SHA256) throws -> Bool {
        try withPool {
            guard let piece = try handle.read(upToCount: 256 << 10), !piece.isEmpty else { return false }
            hash.update(data: piece)
            return true
        }
    }

    /// On Apple platforms, `FileHandle` leaves its buffers to the innermost autorelease pool.
    private static func withPool<Value>(_ body: () throws -> Value) rethrows -> Value {
        #if canImport(ObjectiveC)
            return try autoreleasepool(invoking: body)
        #else
            return try body()
        #endif
    }
}

extension ContentHash: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let hash = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no SHA-256")
        }
        self = hash
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
