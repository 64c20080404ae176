import Basics
import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// A refused request, answered with a problem document (RFC 9457).
struct SimulatorProblem: Error {
    var status: HTTPResponse.Status
    /// The stable code for programs.
    var code: String
    var detail: String
    var headers: HTTPFields = [:]

    static func invalid(_ detail: String) -> SimulatorProblem {
        SimulatorProblem(status: .unprocessableContent, code: "invalid_request", detail: detail)
    }

    static func notFound(_ detail: String) -> SimulatorProblem {
        SimulatorProblem(status: .notFound, code: "not_found", detail: detail)
    }

    /// 409: the present state does not allow it.
    static func conflict(_ code: String, _ detail: String) -> SimulatorProblem {
        SimulatorProblem(status: .conflict, code: code, detail: detail)
    }

    /// 405, with the methods that the path has.
    static func methodNotAllowed(_ methods: String) -> SimulatorProblem {
        var problem = SimulatorProblem(
            status: .methodNotAllowed, code: "method_not_allowed", detail: "Allowed: \(methods).")
        problem.headers[.allow] = methods
        return problem
    }

    /// The problem document for any error. Internal errors are reported without details.
    init(_ error: any Error) {
        switch error {
        case let problem as SimulatorProblem: self = problem
        case let error as JSONError:
            self.init(status: .badRequest, code: "invalid_request", detail: error.description)
        case let error as DecodingError: self = .invalid(error.explanation)
        case is NIOTooManyBytesError:
            self.init(status: .contentTooLarge, code: "too_large", detail: "The body is too large.")
        case is FaultBoard.Refusal: self = .invalid("There are too many faults for different paths.")
        case is SerialQueue.Unavailable:
            self.init(status: .serviceUnavailable, code: "too_busy", detail: "Too much is waiting to be stored.")
        case let error as any HTTPResponseError:
            let code = error.status == .notFound ? "not_found" : "invalid_request"
            self.init(status: error.status, code: code, detail: error.status.reasonPhrase)
        default: self.init(status: .internalServerError, code: "internal_error", detail: "Something failed here.")
        }
    }

    init(status: HTTPResponse.Status, code: String, detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }
}

extension SimulatorProblem: Encodable {
    enum CodingKeys: CodingKey { case type, title, status, detail, code }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("about:blank", forKey: .type)
        try container.encode(status.reasonPhrase, forKey: .title)
        try container.encode(status.code, forKey: .status)
        try container.encode(detail, forKey: .detail)
        try container.encode(code, forKey: .code)
    }
}

extension DecodingError {
    /// The path to the error and its description: `quantity: expected 1 to 10`.
    var explanation: String {
        let (path, text) = parts
        let place = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        return place.isEmpty ? text : "\(place): \(text)"
    }

    private var parts: ([any CodingKey], String) {
        switch self {
        case .keyNotFound(let key, let context): (context.codingPath + [key], "missing")
        case .valueNotFound(_, let context): (context.codingPath, "missing")
        case .typeMismatch(_, let context), .dataCorrupted(let context): (context.codingPath, context.debugDescription)
        @unknown default: ([], "cannot be read")
        }
    }
}
