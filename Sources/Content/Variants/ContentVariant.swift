/// An encoded form of a file, which is smaller than the file.
package struct ContentVariant: Hashable, Codable, Sendable {
    /// How the variant is decoded.
    package enum Encoding: String, Hashable, Codable, Sendable, CaseIterable {
        /// RFC 1952.
        case gzip
        /// One frame of RFC 8878, with a window of 8 MiB at most (RFC 9659).
        case zstd
        /// RFC 9842 §5: a header of 40 bytes that names the dictionary, and the frame of the patch from it.
        case dcz
        /// The format of `zstd --patch-from`, applied by `zstd -d --patch-from`: one frame of RFC 8878, with the older
        /// file as its raw dictionary.
        case patch = "zstd-patch"
    }

    package var encoding: Encoding
    /// The SHA-256 of the older file that decoding needs; `nil` if it needs none.
    package var from: String?
    /// The size in bytes.
    package var size: Int
    /// The hash of the variant's own bytes: 64 hexadecimal digits in lower case.
    package var sha256: String

    package init(_ encoding: Encoding, from: String? = nil, size: Int, sha256: String) {
        self.encoding = encoding
        self.from = from
        self.size = size
        self.sha256 = sha256
    }
}
