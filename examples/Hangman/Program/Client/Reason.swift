import Foundation
import HangmanGame
import QuartermasterClient

/// Says in a sentence why something did not work.
enum Reason {
    static let offline = "this needs the network, and you are offline"
    static let noAccount = "there is no account yet: it is made with the first purchase, hint or download"
    private static let signedOut = "the session has ended: enter the recovery code on the account screen"
    private static let unreadable = "the account cannot be read from the disk"
    private static let blocked = "the account is blocked: please write to support"
    private static let insecure = "the system allows no connection without TLS to this server"
    static let unreachable = "this needs the network, and the server cannot be reached"

    static func text(_ error: any Error) -> String {
        switch error {
        case ConnectionError.insecure: insecure
        case is ConnectionError: unreachable
        case let problem as ServerProblem: text(problem)
        case let error as DownloadError: text(error)
        case is NoAccount: noAccount
        case is SignedOut: signedOut
        case is SpendPending:
            "the answer was lost: the hint comes when the server answers"
        case is CredentialsUnavailable: unreadable
        default: Columns.printable("\(type(of: error)): \(error)")
        }
    }

    private static func text(_ problem: ServerProblem) -> String {
        let what =
            switch problem.code {
            case .invalidCredentials: "no account has this recovery code"
            case .insufficientBalance: "no hints are left; the store has some"
            case .accountBlocked: blocked
            case .tooManyRequests: "too many requests: please wait a moment"
            default: problem.detail ?? problem.code.rawValue
            }
        return Columns.printable(problem.requestID.map { "\(what) (request \($0))" } ?? what)
    }

    static func text(_ error: DownloadError) -> String {
        switch error {
        case .notEntitled(let reason): "it is locked (\(Columns.printable(reason.rawValue)))"
        case .unknownBundle, .noFittingVersion: "the server has no such bundle for this game"
        case .noSpace(let needed, let available):
            "it needs \(ByteCount.text(needed)), and \(ByteCount.text(available)) are free"
        case .offline: unreachable
        case .networkNotAllowed: "it waits for a network that it may use"
        case .insecure: insecure
        case .signedOut: signedOut
        case .refused(let problem): text(problem)
        case .cancelled: "cancelled"
        case .signature, .stale, .rollback, .unusableManifest, .corrupted: "what came was not what the server signed"
        case .blocked: blocked
        case .credentialsUnavailable: unreadable
        case .storage(let what): "the disk: \(Columns.printable(what))"
        }
    }
}
