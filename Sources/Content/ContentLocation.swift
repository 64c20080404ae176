/// Where bytes are.
package enum ContentLocation: Hashable, Sendable {
    /// A regular file on this machine, and its size in bytes.
    case file(path: String, size: Int)
    /// On another server, good for minutes: whoever has the URL may read them. One for each method.
    case url(get: String, head: String)
}
