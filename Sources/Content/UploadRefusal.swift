/// Why bytes are not taken.
package enum UploadRefusal: Error, Hashable, Sendable {
    /// So many bytes are there, not those that the client goes on after.
    case offset(Int)
    /// More bytes than the file has.
    case tooLong
    /// All bytes are there, and they are others; they were dropped.
    case wrongHash
    /// Another client sends the same file.
    case busy
    /// Too many files are begun.
    case tooMany
    /// The disk, or a right to it, is not there.
    case notWritable(String)
}
