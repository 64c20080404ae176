import Foundation

extension DownloadError {
    /// The download error for a thrown one, if there is no further attempt.
    init(_ error: any Error) {
        self = Self(final: error) ?? .offline
    }

    /// The download error for a thrown one, or `nil` if another attempt may succeed.
    init?(final error: any Error) {
        switch error {
        case let error as Self: self = error
        case is CancellationError: self = .cancelled
        case let problem as Problem:
            guard let refusal = Self(problem) else { return nil }
            self = refusal
        case is SignedOut, is NoAccount: self = .signedOut
        case is CredentialsUnavailable: self = .credentialsUnavailable
        // A portal that answers for the server is like no network.
        case is ConnectionError, is DecodingError, is ContentRefusal, is URLError: return nil
        default: self = Self(storage: error)
        }
    }

    private init?(_ problem: Problem) {
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
