import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The outcome of one purchase, and not of its product now: a month that was paid for and used is not shown as denied
/// because the next month was not paid.
struct PurchaseOutcome {
    let record: RecordedTransaction
    let report: AccountReport
    let visit: Visit

    var cell: Cell {
        if record.owner != report.facts.account {
            return badge("Transferred", .waiting, ["now of \(record.owner.text)"])
        }
        if let revocation = transaction.revocation, record.isRevoked || revocation.share.isAll {
            return revoked(revocation)
        }
        guard let terms = record.terms else {
            return .badge("Not given", .bad, note: (entitlement?.denial ?? .unknownProduct).wordsWithoutTerms)
        }
        guard let access else { return badge("Recorded", .plain) }
        if case .denied(.sandbox) = access { return .badge("Not given", .bad, note: DenialReason.sandbox.words) }
        if transaction.isUpgraded { return badge("Ended", .plain, ["given until the upgrade to another product"]) }
        switch terms.type {
        case .consumable: return consumable(access)
        case .nonRenewing where isBeforeRuns: return badge("Ended", .plain, [DenialReason.expired.words])
        case .nonRenewing: return time(access, end: runEnd)
        default: return time(access, end: transaction.expirationDate)
        }
    }

    private var transaction: Transaction { record.transaction }

    /// The account's entitlement to the product.
    private var entitlement: ProductEntitlement? {
        report.entitlements.first {
            $0.scope == Scope(app: transaction.app, environment: transaction.environment)
                && $0.product == transaction.productID
        }
    }

    /// The access to the product by purchases, whatever support gave.
    private var access: Access? { entitlement.map { $0.accessByPurchases ?? $0.access } }

    /// Whether the access to the product comes from this purchase, or from none.
    private var isNewest: Bool { entitlement?.purchase.map { transaction.purchaseDate >= $0.date } ?? true }

    private func revoked(_ revocation: Transaction.Revocation) -> Cell {
        guard transaction.isRefunded else {
            let why = transaction.ownershipType == .familyShared ? "Family Sharing ended" : "taken back by the store"
            return .badge("Ended", .plain, note: "\(why), \(words(revocation.date))")
        }
        let part = revocation.share.isAll ? "" : "a part, which ends its access, "
        return .badge("Refunded", .bad, note: "\(part)by the store, \(words(revocation.date))")
    }

    // MARK: By type

    /// The outcome of a consumable: its credits are given whatever became of its bundles.
    private func consumable(_ access: Access) -> Cell {
        if isGivenToAnother { return badge("Given to another account", .waiting) }
        return switch access {
        case .granted(let until?) where isNewest: badge("Given", .good, ["its bundles until \(words(until))"])
        case .denied(let reason) where reason != .consumed && reason != .expired && isNewest:
            badge("Not given", .bad, [reason.words])
        default: badge("Given", .good)
        }
    }

    /// - Parameter end: the end of the time that was paid for; `nil` if the purchase has none of its own.
    private func time(_ access: Access, end: Date?) -> Cell {
        if let end, end <= visit.date {
            switch access {
            case .granted(let until?) where isNewest && until > end:
                return badge("Given", .good, ["paid until \(words(end))", "access until \(words(until))"])
            case .denied(let reason) where isNewest && reason != .expired:
                return badge("Ended", .plain, ["given until \(words(end))", reason.words])
            default: return badge("Ended", .plain, ["given until \(words(end))"])
            }
        }
        switch access {
        case .granted(let until):
            let last = isNewest ? until : end ?? until
            return badge("Given", .good, [last.map { "access until \(words($0))" } ?? "access"])
        case .denied(.expired), .denied(.upgraded): return badge("Ended", .plain, [access.denial?.words])
        case .denied(let reason): return badge("Not given", .bad, [reason.words])
        }
    }

    /// The end of the run that a purchase of non-renewing time belongs to; `nil` if the report does not have it.
    private var runEnd: Date? {
        entitlement?.runs.first { $0.start <= transaction.purchaseDate && transaction.purchaseDate < $0.end }?.end
    }

    /// Whether the purchase is older than the runs of the report, which are the newest.
    private var isBeforeRuns: Bool { entitlement?.runs.first.map { transaction.purchaseDate < $0.start } ?? false }

    // MARK: Words

    /// The credits that it earned, and the account that has them if it is another one.
    private var credits: String? {
        let earned = record.earnedCredits
        guard !earned.isEmpty, !isRestoredCopy else { return nil }
        let amounts = earned.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        guard record.creditedTo != report.facts.account else { return "credits: \(amounts)" }
        return "its credits, \(amounts), went to \(record.creditedTo.text)"
    }

    /// Whether everything that it gave went to the previous owner: it gives nothing but credits, which are not
    /// transferred.
    private var isGivenToAnother: Bool {
        record.creditedTo != report.facts.account && !record.earnedCredits.isEmpty && !isRestoredCopy
            && record.terms?.bundles.isEmpty == true
    }

    /// Whether it is a copy of a purchase that is recorded too: credits are earned once.
    private var isRestoredCopy: Bool {
        record.purchase != transaction.id
            && report.transactions.entries.contains { $0.transaction.key == record.purchaseKey }
    }

    private var partlyRefunded: String? { transaction.revocation.map { "partly refunded, \(words($0.date))" } }

    private func badge(_ text: String, _ tone: Tone, _ notes: [String?] = []) -> Cell {
        let all = ([credits] + notes + [partlyRefunded]).compactMap { $0 }
        return .badge(text, tone, note: all.isEmpty ? nil : all.joined(separator: "; "))
    }

    private func words(_ date: Date) -> String { visit.time(date).text }
}

extension Access {
    /// The reason why it is denied; `nil` if it is granted.
    fileprivate var denial: DenialReason? {
        guard case .denied(let reason) = self else { return nil }
        return reason
    }
}

extension ProductEntitlement {
    fileprivate var denial: DenialReason? { (accessByPurchases ?? access).denial }
}

extension DenialReason {
    /// The reason why a purchase is not bound to a product of the catalog.
    fileprivate var wordsWithoutTerms: String { self == .typeMismatch ? words : DenialReason.unknownProduct.words }
}
