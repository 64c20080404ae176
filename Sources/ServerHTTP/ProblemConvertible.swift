import HTTPTypes
import Hummingbird
import NIOHTTP1

/// An error that states the problem that the client is answered with.
package protocol ProblemConvertible: Error {
    var problem: Problem { get }
    /// Whether it is the server's own trouble, which the operator must see.
    var isOurs: Bool { get }
}

extension ProblemConvertible {
    package var isOurs: Bool { false }
}

extension Problem: ProblemConvertible {
    package var problem: Problem { self }

    /// The problem of any error; one that states none is the server's own trouble.
    package static func from(_ error: any Error) -> (problem: Problem, isOurs: Bool) {
        switch error {
        case let error as any ProblemConvertible: (error.problem, error.isOurs)
        case is HTTPParserError: (.badFraming, false)
        case let error as any HTTPResponseError: (Problem(error), false)
        default: (Problem(.internalServerError, "internal_error", "Internal error"), true)
        }
    }

    package static let storageUnavailable = Problem(
        .serviceUnavailable, "storage_unavailable", "The ledger cannot be written to now", retryAfter: 10)

    /// The problem of a body whose end is unknown (RFC 9112 §6.3): whatever follows it is not read as a request.
    private static var badFraming: Problem {
        var problem = invalidRequest("The body is not framed as HTTP/1.1 requires.")
        problem.closesConnection = true
        return problem
    }

    /// The problem for an error that the framework throws by itself.
    private init(_ error: any HTTPResponseError) {
        let code =
            switch error.status {
            case .notFound: "not_found"
            default: error.status.code < 500 ? "invalid_request" : "internal_error"
            }
        self.init(error.status, code, error.status.reasonPhrase)
    }
}
