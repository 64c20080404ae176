/// Why a download did not end with an installed version. What was fetched is kept, except for ``cancelled``.
public enum DownloadError: Error, Sendable, Equatable {
    /// The account has no access to the bundle. The reasons are those of entitlements, in docs/app/errors.md.
    case notEntitled(reason: String)
    /// No version of the bundle fits this version of the app.
    case noFittingVersion
    /// The server has no such bundle.
    case unknownBundle
    /// The manifest is not signed by the server's keys, or its parts do not belong together.
    case signature
    /// The statement that the version is the newest has expired or is missing: somebody withholds newer ones, or the
    /// device's clock is wrong.
    case stale
    /// The server stated a newer version before.
    case rollback
    /// The manifest has something that no device can store, such as a path out of its folder.
    case unusableManifest
    /// The file arrived with wrong bytes twice.
    case corrupted(path: String)
    /// The disk has too little free space. Both numbers are in bytes.
    case noSpace(needed: Int, available: Int)
    /// The server or the content cannot be reached, or something else answers in its place.
    case offline
    /// The account's session has ended: ask the player for the recovery code.
    case signedOut
    /// An administrator blocked the account.
    case blocked
    /// The credentials cannot be read now, for example before the first unlock.
    case credentialsUnavailable
    /// The server refused the request, in a way that another attempt does not change.
    case refused(Problem)
    /// A file could not be read or written.
    case storage(String)
    /// The download was cancelled, and what it had fetched is deleted.
    case cancelled
}
