package import Foundation

/// Bytes that are not accepted as a receipt, as far as they are known.
package enum UnreadableBytes: Sendable {
    /// - Parameter digest: the SHA-256 of all of them.
    case whole(digest: Data, length: Int)
    /// They were not read to their end, so that they have no hash.
    ///
    /// - Parameter announcedLength: the length that the client announced and that nobody checked; `nil` if it announced
    ///   none.
    case unread(announcedLength: Int?)
}
