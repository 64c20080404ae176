import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The content of a row of the audit trail in words that support can pass on; the members as they are recorded stand
/// behind *Details*.
struct AuditWords {
    /// The maximum number of purchases of a receipt that are named.
    private static let maximumNamed = 3

    let row: AuditRow
    let members: [String: JSONValue]
    let visit: Visit

    private var kind: AuditEntry.Kind? { AuditEntry.Kind(rawValue: row.kind) }

    /// The sentences; `nil` if the title says everything.
    var text: String? {
        let facts = facts.compactMap { $0 }.joined(separator: "; ")
        let start = beginsWithName ? String(facts.prefix(1)) : facts.prefix(1).uppercased()
        let sentences = [facts.isEmpty ? nil : start + facts.dropFirst() + ".", reason]
        let text = sentences.compactMap { $0 }.joined(separator: " ")
        return text.isEmpty ? nil : text
    }

    /// Whether the first fact is the ID of a product or the name of something, which is written as it is.
    private var beginsWithName: Bool {
        switch kind {
        case .receiptRecorded?, .receiptSettled?, .receiptPostponed?, .receiptProvisional?, .receiptPresentedAgain?,
            .notificationRecorded?, .notificationApplied?, .creditsPosted?, .creditsSpent?, .creditsAdjusted?,
            .originalTransactionTransferred?, .originalTransactionLost?, .renewalExtended?, .renewalsExtended?:
            false
        default: true
        }
    }

    private var facts: [String?] {
        switch kind {
        case .receiptRecorded?: [text("kind").map { Receipt.Kind(rawValue: $0)?.words ?? $0 }]
        case .receiptSettled?, .receiptPostponed?, .receiptProvisional?, .receiptPresentedAgain?: [status] + outcomes
        case .notificationRecorded?, .notificationApplied?:
            [text("type").map { StoreEvent(type: $0, subtype: text("subtype")).words }]
        case .creditsPosted?, .creditsSpent?, .creditsAdjusted?: [credits, postingKind, text("product")]
        case .originalTransactionTransferred?, .originalTransactionLost?: [move, creditsStay]
        case .entitlementGranted?, .entitlementRevoked?: [text("product"), date("until").map { "until \($0)" }]
        case .renewalExtended?, .renewalsExtended?:
            [number("days").map { $0 == 1 ? "by 1 day" : "by \($0) days" }, date("expirationDate", in: "after")]
        case .manifestIssued?, .deliveryConfirmed?, .deliveryMismatch?:
            [text("bundle").map { "\($0) \(text("version") ?? "")" }]
        case .termsBound?: [text("product")]
        default: [isAboutPlayer ? nil : row.subject]
        }
    }

    /// Whether the subject is an ID that tells people nothing.
    private var isAboutPlayer: Bool { row.account != nil || row.kind.hasPrefix("receipt.") }

    // MARK: Reasons

    /// Why it was done, as the administrator gave it. The reason of a receipt is one of the server's.
    private var reason: String? {
        guard !row.kind.hasPrefix("receipt.") || kind == .receiptRetried else { return nil }
        return text("reason").map { "Reason: \($0)" }
    }

    // MARK: Receipts

    private var status: String? {
        switch text("status").flatMap(ReceiptAnswer.Status.init) {
        case .verified?: "genuine"
        case .conflict?: "another account has it"
        case .pending?: "the App Store is asked"
        case .rejected?:
            text("reason").flatMap(ReceiptRejection.Reason.init).map { String($0.words.dropLast()) } ?? "refused"
        case nil: nil
        }
    }

    private var outcomes: [String?] {
        guard case .array(let all)? = members["transactions"] else { return [] }
        let named = all.prefix(Self.maximumNamed).map { entry -> String? in
            guard case .object(let members) = entry, case .string(let product)? = members["product"],
                case .string(let outcome)? = members["outcome"]
            else { return nil }
            return "\(product): \(Self.words(ofOutcome: outcome))"
        }
        return named + (all.count > named.count ? ["\(all.count - named.count) more"] : [])
    }

    private static func words(ofOutcome outcome: String) -> String {
        let parts = outcome.split(separator: ": ", maxSplits: 1).map(String.init)
        return switch parts.first {
        case "delivered": "given"
        case "alreadyDelivered": "had been given before"
        case "denied": "not given: \(DenialReason(rawValue: parts.last ?? "").words)"
        default: outcome
        }
    }

    // MARK: Credits

    private var credits: String? {
        guard let amount = number("amount"), let currency = text("currency") else { return nil }
        let left = number("balance") ?? number("balance", in: "after")
        let change = kind == .creditsSpent ? "\(amount) \(currency)" : "\(amount > 0 ? "+" : "")\(amount) \(currency)"
        return left.map { "\(change), \($0) afterwards" } ?? change
    }

    private var postingKind: String? { text("kind").map { Posting.Kind(rawValue: $0)?.words ?? $0 } }

    // MARK: Transfers

    private var move: String? {
        guard let new = text("owner", in: "after") else { return nil }
        return text("owner", in: "before").map { "from \(name($0)) to \(name(new))" } ?? "to \(name(new))"
    }

    private var creditsStay: String? { text("creditsStayWith").map { "its credits stay with \(name($0))" } }

    private func name(_ account: String) -> String { account == row.account?.text ? "this account" : account }

    // MARK: Members

    private func value(_ name: String, in object: String?) -> JSONValue? {
        guard let object else { return members[name] }
        guard case .object(let inner)? = members[object] else { return nil }
        return inner[name]
    }

    private func text(_ name: String, in object: String? = nil) -> String? {
        guard case .string(let text)? = value(name, in: object) else { return nil }
        return text
    }

    private func number(_ name: String, in object: String? = nil) -> Int? {
        guard case .integer(let number)? = value(name, in: object) else { return nil }
        return number
    }

    private func date(_ name: String, in object: String? = nil) -> String? {
        text(name, in: object).flatMap { Date(rfc3339: $0) }.map { visit.time($0).text }
    }
}
