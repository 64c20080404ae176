/// Other bytes that the bytes of a file can be made from.
package struct ContentVariant: Hashable, Codable, Sendable {
    /// How they become the file's.
    package enum Encoding: String, Hashable, Codable, Sendable, CaseIterable {
        /// RFC 1952.
        case gzip
        /// One frame of RFC 8878, with a window of 8 MiB at most (RFC 9659).
        case zstd
        /// RFC 9842 §5: a header of 40 bytes that names the dictionary, and the frame of the patch from it.
        case dcz
        /// What `zstd --patch-from` makes and `zstd -d --patch-from` applies: one frame of RFC 8878, with the older
        /// file as its raw dictionary.
        case patch = "zstd-patch"
    }

    package var encoding: Encoding
    /// The SHA-256 of the older file that is needed; nil where none is.
    package var from: String?
    /// In bytes.
    package var size: Int
    /// Of the variant's bytes: 64 hexadecimal digits in lower case.
    package var sha256: String

    package init(_ encoding: Encoding, from: String? = nil, size: Int, sha256: String) {
        self.encoding = encoding
        self.from = from
        self.size = size
        self.sha256 = sha256
    }
}
