import Foundation
import NIOFoundationCompat
import NIOHTTP1
import StoreClient
import StrictJSON

/// The outcome of one request to the Server API.
struct ServerAPIOutcome<Value: Sendable>: Sendable {
    /// The pause in seconds after status 429 without a `Retry-After`.
    static var usualPause: TimeInterval { 60 }

    var result: Result<Value, AppStoreServerError>
    /// Whether the endpoint works; `nil` if that was not learned.
    var isUsable: Bool?
    /// The date before which the App Store accepts no such request; `nil` if there is no pause.
    var pauseDate: Date?
}

extension ServerAPIOutcome {
    /// - Parameter read: decodes the response's body; throws if it cannot be read.
    init(_ exchange: StoreExchange, at now: Date, read: (Data) throws -> Value) {
        switch exchange {
        case .abandoned: self.init(.temporary(StoreExchange.timeout), isUsable: nil)
        case .failed(let words): self.init(.temporary(words), isUsable: false)
        case .answered(let response) where response.status.isSuccess:
            if let value = try? read(Data(buffer: response.body)) {
                self.init(result: .success(value), isUsable: true)
            } else {
                self.init(.temporary("an answer that cannot be read"), isUsable: false)
            }
        case .answered(let response): self.init(refusal: response, at: now)
        }
    }

    init(_ failure: AppStoreServerError, isUsable: Bool?) { self.init(result: .failure(failure), isUsable: isUsable) }

    private init(refusal response: StoreResponse, at now: Date) {
        let (status, code) = (response.status, response.errorCode)
        let detail = code.map(String.init(describing:)) ?? "HTTP \(status.code)"
        let retryDate = response.headers.retryDate(at: now)
        switch (status.code, code) {
        case (500..., _):
            self.init(.unavailable(Unavailability(.temporary, detail, retryDate: retryDate)), isUsable: false)
        case (429, _), (_, .rateLimitExceeded?):
            let date = retryDate ?? now.addingTimeInterval(Self.usualPause)
            self.init(.unavailable(Unavailability(.temporary, detail, retryDate: date)), isUsable: nil)
            pauseDate = date
        case (401, _), (403, nil):
            let words = "\(detail): issuer ID, key ID, private key, bundle ID or this machine's clock is wrong"
            self.init(
                .unavailable(Unavailability(.misconfigured, words, credential: .serverAPIKey)), isUsable: true)
        case (_, let code?):
            self.init(code.failure(retryDate: retryDate), isUsable: true)
        case (400, nil):
            self.init(.refused(.generalBadRequest), isUsable: true)
        default:
            // No code: the response is not from the API, but from something in front of it.
            self.init(.temporary(detail), isUsable: false)
        }
    }
}

extension AppStoreServerErrorCode {
    fileprivate func failure(retryDate: Date?) -> AppStoreServerError {
        if Self.retryable.contains(self) {
            return .unavailable(Unavailability(.temporary, description, retryDate: retryDate))
        }
        if Self.misconfigured.contains(self) {
            // An address that App Store Connect lacks is not the key's fault.
            let credential = self == .serverNotificationURLNotFound ? nil : Unavailability.Credential.serverAPIKey
            return .unavailable(Unavailability(.misconfigured, description, credential: credential))
        }
        return Self.notFound.contains(self) ? .notFound(self) : .refused(self)
    }
}

extension StoreResponse {
    private struct ErrorBody: Decodable {
        var errorCode: Int
    }

    /// The error code. Only the code is read: the message is for people, and might repeat parts of the request.
    fileprivate var errorCode: AppStoreServerErrorCode? {
        (try? StrictJSON(Data(buffer: body), .serverAPIAnswer, tolerance: .known).decode(ErrorBody.self))
            .map { AppStoreServerErrorCode(rawValue: $0.errorCode) }
    }
}
