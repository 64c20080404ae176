import Foundation

/// Why a download did not end with an installed version. What was fetched is kept, except for ``cancelled``.
public enum DownloadError: Error, Sendable, Equatable {
    /// The account has no access to the bundle. The reasons are those of entitlements.
    case notEntitled(reason: DenialReason)
    /// No version of the bundle fits this version of the app.
    case noFittingVersion
    /// The server has no such bundle.
    case unknownBundle
    /// The manifest is not signed by the server's keys, or its parts do not belong together.
    case signature
    /// The statement that the version is the newest has expired or is missing: somebody withholds newer ones.
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
    /// The network that is there is not one that the download may use. It goes on by itself when another is there.
    case networkNotAllowed
    /// The system does not allow a connection without TLS, see ``ConnectionError/insecure``.
    case insecure
    /// The account's session has ended: ask the player for the recovery code.
    case signedOut
    /// An administrator blocked the account.
    case blocked
    /// The credentials cannot be read now, for example before the first unlock.
    case credentialsUnavailable
    /// The server refused the request, in a way that another attempt does not change.
    case refused(ServerProblem)
    /// A file could not be read or written.
    case storage(String)
    /// The download was cancelled, and what it had fetched is deleted.
    case cancelled
}

extension DownloadError {
    /// The download error for a thrown one, if there is no further attempt.
    init(_ error: any Error) { self = Self(final: error) ?? .offline }

    /// The download error for a thrown one, or `nil` if another attempt may succeed.
    init?(final error: any Error) {
        switch error {
        case let error as Self: self = error
        case is CancellationError: self = .cancelled
        case let problem as ServerProblem:
            guard let refusal = Self(problem) else { return nil }
            self = refusal
        case is SignedOut, is NoAccount: self = .signedOut
        case is CredentialsUnavailable: self = .credentialsUnavailable
        case ConnectionError.insecure: self = .insecure
        case ConnectionError.networkNotAllowed: self = .networkNotAllowed
        // A portal that answers for the server is like no network.
        case is ConnectionError, is DecodingError, is ContentRefusal, is URLError: return nil
        default: self = Self(storage: error)
        }
    }

    /// Whether the same download may succeed later without anybody's doing.
    var passes: Bool {
        switch self {
        case .offline, .networkNotAllowed, .noSpace, .credentialsUnavailable: true
        default: false
        }
    }

    private init?(_ problem: ServerProblem) {
        switch (problem.status, problem.code) {
        case (401, _): self = .signedOut
        case (_, .notEntitled): self = .notEntitled(reason: problem.reason ?? "")
        case (_, .accountBlocked): self = .blocked
        case (_, .noFittingVersion): self = .noFittingVersion
        case (404, _): self = .unknownBundle
        case (429, _), (500..., _): return nil
        default: self = .refused(problem)
        }
    }

    private init(storage error: any Error) {
        let code = (error as NSError)
        let causes = [code, code.userInfo[NSUnderlyingErrorKey] as? NSError].compactMap { $0 }
        let isFull = causes.contains { cause in
            (cause.domain == NSCocoaErrorDomain && cause.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
                || (cause.domain == NSPOSIXErrorDomain && cause.code == Int(POSIXErrorCode.ENOSPC.rawValue))
        }
        self = isFull ? .noSpace(needed: 0, available: 0) : .storage("\(code.domain) \(code.code)")
    }
}
