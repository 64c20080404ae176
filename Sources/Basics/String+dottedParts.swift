import Foundation

extension String {
    /// Calls `body` with the bytes of the three parts of a string like a JWS in compact serialization (RFC 7515 §7.1),
    /// of which any may be empty.
    ///
    /// With functions of C: splitting a collection costs more per byte than decoding it.
    ///
    /// - Returns: `nil` if the string does not have exactly two full stops.
    package func withDottedParts<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        var text = self
        return text.withUTF8 { bytes in
            guard let first = bytes.index(of: UInt8(ascii: "."), from: 0),
                let second = bytes.index(of: UInt8(ascii: "."), from: first + 1),
                bytes.index(of: UInt8(ascii: "."), from: second + 1) == nil
            else { return nil }
            return body(
                UnsafeBufferPointer(rebasing: bytes[..<first]),
                UnsafeBufferPointer(rebasing: bytes[(first + 1)..<second]),
                UnsafeBufferPointer(rebasing: bytes[(second + 1)...]))
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func index(of byte: UInt8, from start: Int) -> Int? {
        guard let baseAddress, start < count,
            let found = memchr(baseAddress + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
    }
}
