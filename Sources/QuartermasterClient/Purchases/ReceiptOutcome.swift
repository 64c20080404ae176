public import Foundation

/// The consequences of the server's answer to a receipt.
struct ReceiptOutcome: Sendable, Equatable {
    /// The result for the player.
    var result: PurchaseResult
    /// The next step with the transaction.
    var next: Next
    /// Whether what the account has may have changed.
    var changesEntitlements = false
    /// The transactions that may be finished; others than the one that was sent may be among them.
    var finished: [String] = []

    enum Next: Sendable, Equatable {
        case done
        case keep
        case refused
        case look(receipt: String, after: Duration?)
        case retry(after: Duration?)
        /// It is sent again when the player has signed in.
        case waitForSignIn
        /// It is sent when the account of another device has come, or one may be created.
        case waitForAccount
        case tooLarge
    }

    /// The server could not be asked, or there is no room for the transaction.
    static let later = Self(result: .waiting(provisionalUntil: nil), next: .retry(after: nil))
    /// The session has ended.
    static let afterSignIn = Self(result: .waiting(provisionalUntil: nil), next: .waitForSignIn)
    /// An account of another device may come.
    static let afterAccount = Self(result: .waiting(provisionalUntil: nil), next: .waitForAccount)
    /// The server found the receipt too large before.
    static let tooLarge = Self(
        result: .denied(reason: .receiptTooLarge, remedy: nil), next: .tooLarge)
}

extension ReceiptOutcome {
    /// The outcome of the server's answer: nothing is finished that the server did not say may be finished.
    ///
    /// - Parameter id: the transaction that was sent.
    init(_ answer: ReceiptAnswer, for id: String, retryAfter: Duration?) {
        finished = answer.transactions.filter(\.finish).map(\.id)
        let own = answer.transactions.first { $0.id == id }
        switch answer.status {
        case "pending":
            result = .waiting(provisionalUntil: answer.provisionalUntil)
            next = .look(receipt: answer.receipt, after: retryAfter)
            changesEntitlements = answer.provisionalUntil != nil
        case "verified":
            result = Self.result(of: own)
            next = own?.finish == true ? .done : .keep
            changesEntitlements = true
        default:
            result = .denied(reason: answer.reason ?? DenialReason(rawValue: answer.status), remedy: nil)
            next = answer.status == "conflict" ? .keep : .refused
        }
    }

    /// The outcome of a problem, by the table in docs/app/errors.md. It judges no transaction, so nothing is finished,
    /// whatever it says.
    init(_ problem: ServerProblem) {
        result = .denied(
            reason: problem.reason ?? DenialReason(rawValue: problem.code.rawValue), remedy: problem.remedy)
        switch problem.status {
        case 413: next = .tooLarge
        case 409: next = .keep
        case 400, 403, 404, 405, 422: next = .refused
        default:
            result = .waiting(provisionalUntil: nil)
            next = .retry(after: problem.retryAfter)
        }
    }

    private static func result(of transaction: ReceiptAnswer.Transaction?) -> PurchaseResult {
        guard let transaction else { return .alreadyDelivered }
        switch transaction.outcome {
        case "delivered": return .delivered
        case "alreadyDelivered": return .alreadyDelivered
        default:
            let reason = transaction.reason ?? DenialReason(rawValue: transaction.outcome)
            return .denied(reason: reason, remedy: transaction.remedy)
        }
    }
}

/// The result of a purchase, as the server decided.
public enum PurchaseResult: Sendable, Equatable {
    /// The account has it now.
    case delivered
    /// The account had it before. ``ShopState/entitlements`` tells about access.
    case alreadyDelivered
    /// Somebody has to approve it first (Ask to Buy). Once approved, it is delivered by itself.
    case pending
    /// Paid, and not delivered yet: the server waits for the App Store, or this device for the server. No action is
    /// needed.
    ///
    /// - Parameter provisionalUntil: access is open until then, if the server gives it in advance.
    case waiting(provisionalUntil: Date?)
    /// The server gives nothing for it.
    case denied(reason: DenialReason, remedy: Remedy?)
    /// The player changed their mind.
    case cancelled
}

extension PurchaseResult {
    /// The outcome in a word, or the reason why nothing was delivered.
    var word: String {
        switch self {
        case .delivered: "delivered"
        case .alreadyDelivered: "alreadyDelivered"
        case .pending: "pending"
        case .waiting: "waiting"
        case .denied(let reason, _): reason.rawValue
        case .cancelled: "cancelled"
        }
    }
}
