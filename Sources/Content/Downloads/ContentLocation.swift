/// The location of a file's bytes.
package enum ContentLocation: Hashable, Sendable {
    /// A regular file on this machine, and its size in bytes.
    case file(path: String, size: Int)
    /// Presigned URLs of another server, one for each method, valid for minutes: whoever has one may read the bytes.
    case url(get: String, head: String)
}
