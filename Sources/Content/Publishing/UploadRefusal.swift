/// The reason why uploaded bytes are refused.
package enum UploadRefusal: Error, Hashable, Sendable {
    /// The upload has this many bytes, not those that the client expects.
    case offset(Int)
    /// More bytes than the file has.
    case tooLong
    /// All bytes are there, but have another hash; they were removed.
    case wrongHash
    /// Another client is sending the same file.
    case busy
    /// Too many uploads are incomplete.
    case tooMany
    /// The disk cannot be written to.
    case notWritable(String)
}
