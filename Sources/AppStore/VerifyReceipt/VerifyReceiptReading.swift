import Foundation
import InAppPurchase
import NIOFoundationCompat
import NIOHTTP1
import StoreClient

/// The outcome of one request to verifyReceipt.
enum VerifyReceiptReading {
    case answer(VerifyReceiptAnswer)
    /// No readable response, and the result in its place.
    case noAnswer(VerificationResult<AppStoreAnswer>, isUsable: Bool?)

    init(_ exchange: StoreExchange) {
        switch exchange {
        case .abandoned: self = Self.unavailable(StoreExchange.timeout, isUsable: nil)
        case .failed(let words): self = Self.unavailable(words, isUsable: false)
        case .answered(let response): self.init(response)
        }
    }

    private init(_ response: StoreResponse) {
        switch response.status {
        case .ok:
            if let answer = VerifyReceiptAnswer(Data(buffer: response.body)) {
                self = .answer(answer)
            } else {
                self = Self.unavailable("an answer that cannot be read", isUsable: false)
            }
        case .payloadTooLarge:
            // Not final: the limit is Apple's, and the purchases in the receipt may be genuine.
            self = .noAnswer(.rejected(ReceiptRejection(.unsupported, "too large for the store")), isUsable: true)
        case .tooManyRequests: self = Self.unavailable("HTTP 429", isUsable: nil)
        default: self = Self.unavailable("HTTP \(response.status.code)", isUsable: false)
        }
    }

    private static func unavailable(_ words: String, isUsable: Bool?) -> Self {
        .noAnswer(.unavailable(Unavailability(.temporary, words)), isUsable: isUsable)
    }

    /// Whether the endpoint works; `nil` if that was not learned.
    var isUsable: Bool? {
        switch self {
        case .answer(let answer): !answer.isTrouble
        case .noAnswer(_, let isUsable): isUsable
        }
    }
}
