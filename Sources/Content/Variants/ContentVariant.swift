/// Other bytes that the bytes of a file can be made from.
public struct ContentVariant: Hashable, Codable, Sendable {
    /// How they become the file's.
    public enum Encoding: String, Hashable, Codable, Sendable, CaseIterable {
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

    public var encoding: Encoding
    /// The SHA-256 of the older file that is needed; nil where none is.
    public var from: String?
    /// In bytes.
    public var size: Int
    /// Of the variant's bytes: 64 hexadecimal digits in lower case.
    public var sha256: String

    public init(_ encoding: Encoding, from: String? = nil, size: Int, sha256: String) {
        (self.encoding, self.from, self.size, self.sha256) = (encoding, from, size, sha256)
    }
}
