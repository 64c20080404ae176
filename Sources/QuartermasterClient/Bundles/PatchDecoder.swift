public import Foundation

/// Applies patches (`zstd --patch-from`). An app without one downloads changed files whole.
public protocol PatchDecoder: Sendable {
    /// Writes the new file.
    ///
    /// - Parameters:
    ///   - patch: as it was downloaded. It comes from the network and is not yet known to be right.
    ///   - base: the older file.
    ///   - target: a file that does not exist yet.
    ///   - size: of the new file, in bytes; more is never written.
    func apply(_ patch: URL, to base: URL, writing target: URL, size: Int) throws
}
