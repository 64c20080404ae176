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
    /// The catalog as it is now, which says why a purchase was not bound to a product.
    let catalog: Catalog
    let visit: Visit

    var cell: Cell {
        if record.owner != report.facts.account {
            var cell = badge("Transferred", .waiting)
            cell.link = Link("now of \(record.owner.text)", "/admin/accounts/\(record.owner.text)")
            return cell
        }
        if let revocation = transaction.revocation, record.isRevoked || revocation.share.isAll {
            return revoked(revocation)
        }
        guard let terms = record.terms else {
            return .badge("Not given", .bad, note: reasonWithoutTerms)
        }
        guard let access else { return badge("Recorded", .plain) }
        if case .denied(.sandbox) = access { return .badge("Not given", .bad, note: sandboxReason) }
        if transaction.isUpgraded { return badge("Ended", .plain, ["given until the upgrade to another product"]) }
        switch terms.type {
        case .consumable: return consumable(access)
        case .nonRenewing where isBeforeRuns: return badge("Ended", .plain, [DenialReason.expired.words])
        case .nonRenewing: return time(access, end: runEnd)
        default: return time(access, end: transaction.expirationDate)
        }
    }

    private var transaction: Transaction { record.transaction }

    /// The link to where the catalog is put right, if it is the reason why nothing was given; only for who may do that.
    var remedy: Link? {
        guard visit.administrator.may(.write) else { return nil }
        guard record.owner == report.facts.account, transaction.revocation == nil else { return nil }
        guard record.terms == nil else { return sandboxRemedy }
        return Link(
            remedying: transaction.productID, of: transaction.app, type: transaction.provenType, in: catalog)
    }

    /// Why a purchase of the sandbox gives nothing: the app lets nobody in, or only testers.
    private var sandboxReason: String {
        switch catalog.app(transaction.app)?.sandbox {
        case .nobody?: "a sandbox purchase, and the app's sandbox admits nobody"
        case .testers?, .everyoneUntil?: "a sandbox purchase, and the app's sandbox admits testers only"
        case .everyone?, nil: DenialReason.sandbox.words
        }
    }

    private var sandboxRemedy: Link? {
        guard case .denied(.sandbox)? = access, let app = catalog.app(transaction.app) else { return nil }
        if app.sandbox == .nobody { return SandboxEditPages.letTestersIn(app.bundleID) }
        guard visit.administrator.reach == .everything else { return nil }
        return Link("Make it a tester", "/admin/accounts/\(report.facts.account.text)/add-tester")
    }

    /// Why the purchase is not bound to a product of the catalog: this one, whatever became of others of the product.
    private var reasonWithoutTerms: String {
        guard let listed = catalog.product(transaction.productID, of: transaction.app) else {
            return DenialReason.unknownProduct.words
        }
        guard !listed.type.fits(transaction) else {
            return "the catalog has the product again: it is given in a moment"
        }
        return "the product \(listed.type.wordsOfMismatch(with: transaction.provenType))"
    }

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
            let why =
                transaction.ownershipType == .familyShared ? "Family Sharing ended" : "taken back by the App Store"
            return .badge("Ended", .plain, note: "\(why), \(words(revocation.date))")
        }
        let part = revocation.share.isAll ? "" : "a part, which ends its access, "
        return .badge("Refunded", .bad, note: "\(part)by the App Store, \(words(revocation.date))")
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
