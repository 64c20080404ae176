import Foundation
package import InAppPurchase

/// The entitlements of an account at a date, put together from its histories. Each history is decided by its standing,
/// or by its handler's answers to all its purchases.
package struct AccountEntitlements: Sendable {
    /// A product within one of the histories.
    struct Part: Sendable {
        var id: HistoryID
        var product: CondensedProduct
        var renewing: [TransactionID]
        /// Decides the access by the account's own purchases; `nil` if it owns none, or if they have no terms.
        var decider: (any HistoryDecider)?
    }

    package let account: AccountID
    let context: RecordingContext
    private let renewals: [OriginalTransaction.Key: RenewalFacts]
    private let offers: IntroductoryOffers
    /// The parts of histories by product, in the order of their newest purchases.
    private let parts: [Subject: [Part]]
    private var accesses: [Subject: Access] = [:]

    /// - Parameters:
    ///   - answers: of the handlers to all purchases of a history; the others are decided by their standings.
    ///   - renewals: of ``renewing(in:)``.
    init(
        account: AccountID, histories: [HistoryID: CondensedHistory], answers: [HistoryID: HandlerAnswers],
        renewals: [OriginalTransaction.Key: RenewalFacts], context: RecordingContext
    ) {
        self.account = account
        self.renewals = renewals
        self.context = context
        offers = IntroductoryOffers(histories)
        var parts: [Subject: [Part]] = [:]
        for (id, history) in histories.sorted(by: { $0.key.order < $1.key.order }) {
            for product in history.products {
                let part = Part(
                    id: id, product: product, renewing: history.renewing, decider: answers[id] ?? history.standing)
                parts[Subject(scope: id.scope, product: product.product), default: []].append(part)
            }
        }
        self.parts = parts.mapValues { $0.sorted { $0.isOlder(than: $1) } }
        for (subject, parts) in self.parts { accesses[subject] = decideAccess(to: subject, parts) }
    }

    /// Puts the entitlements together from standings alone.
    ///
    /// - Returns: `nil` if a standing does not tell the access at the date; all purchases are then to be read.
    package init?(
        account: AccountID, histories: [HistoryID: CondensedHistory],
        renewals: [OriginalTransaction.Key: RenewalFacts], context: RecordingContext
    ) {
        self.init(account: account, histories: histories, answers: [:], renewals: renewals, context: context)
        guard accesses.count == parts.count else { return nil }
    }

    /// The subscriptions whose renewals the histories need.
    package static func renewing(in histories: [HistoryID: CondensedHistory]) -> Set<OriginalTransaction.Key> {
        Set(histories.flatMap { id, history in history.renewing.map(id.scope.original) })
    }

    /// - Returns: `nil` if a standing does not tell.
    private func decideAccess(to subject: Subject, _ parts: [Part]) -> Access? {
        let own = parts.filter { $0.product.own != nil }
        guard let latest = own.compactMap(\.product.own).max(by: { $1.isLater(than: $0) }) else {
            return .denied(context.reasonWithoutPurchases(formerEnd: parts.compactMap(\.product.formerEnd).max()))
        }
        if own.allSatisfy({ $0.id.name.type == nil }) {
            return .denied(context.reasonWithoutTerms(subject, latest.type))
        }
        guard context.admits(account, to: subject.scope) else { return .denied(.sandbox) }
        var access = Access.denied(.expired)
        for part in own {
            guard let decider = part.decider else { continue }
            guard let next = decider.access(to: subject.product, renewals: facts(of: part), at: context.date) else {
                return nil
            }
            access = access.orBetter(next)
        }
        return access
    }

    private func facts(of part: Part) -> [TransactionID: RenewalFacts] {
        part.renewing.reduce(into: [:]) { facts, id in facts[id] = renewal(of: id, part.id.scope) }
    }

    private func renewal(of id: TransactionID, _ scope: Scope) -> RenewalFacts? { renewals[scope.original(id)] }
}

// MARK: Entitlements

extension AccountEntitlements {
    /// The entitlements to all products that the account has or had, in a stable order.
    package var all: [ProductEntitlement] {
        parts.map { entitlement(to: $0, $1) }.sorted { $0.order < $1.order }
    }

    private func entitlement(to subject: Subject, _ parts: [Part]) -> ProductEntitlement {
        let latest = parts.max { $1.product.latest.isLater(than: $0.product.latest) }
        let type = latest.flatMap { $0.id.name.type ?? $0.product.latest.type } ?? ProductType(rawValue: "unknown")
        let access = access(to: subject)
        let listed = context.catalog.product(subject.product, of: subject.scope.app)
        let group = listed.map(\.group) ?? latest?.id.name.group
        var entitlement = ProductEntitlement(
            scope: subject.scope, product: subject.product, type: type, group: group, level: listed?.level,
            access: access, bundles: bundles(of: parts, listed),
            retained: access.isGranted ? RetainedTimes() : retainedTimes(of: subject, parts))
        let newest = parts.compactMap(\.product.newest).max { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
        guard let newest else { return entitlement }
        entitlement.purchase = PurchaseFacts(newest)
        if newest.mayRenew {
            entitlement.subscription = SubscriptionStatus(
                period: newest, renewal: renewals[newest.originalTransactionKey],
                isIntroductoryOfferUsed: offers.isUsed(inGroupOf: newest), at: context.date)
        }
        let runs = parts.filter { $0.product.own != nil }.flatMap { $0.decider?.runs(of: subject.product) ?? [] }
        entitlement.runs = Array(runs.suffix(ProductEntitlement.maximumRuns))
        return entitlement
    }

    private func bundles(of parts: [Part], _ listed: Product?) -> [BundleName] {
        guard parts.contains(where: { $0.product.own != nil }) else { return [] }
        let bought = parts.flatMap(\.product.bundles).sorted { $0.order < $1.order }.map(\.bundle)
        return (bought + (listed?.bundles ?? [])).unique
    }

    private func retainedTimes(of subject: Subject, _ parts: [Part]) -> RetainedTimes {
        guard context.admits(account, to: subject.scope) else { return RetainedTimes() }
        return RetainedTimes(
            parts.flatMap(\.product.retained).map { time in
                time.range(time.renewing.flatMap { renewal(of: $0, subject.scope) })
            })
    }
}

// MARK: Access

extension AccountEntitlements {
    func access(to subject: Subject) -> Access { accesses[subject] ?? .denied(.transferred) }

    /// The access by a recorded transaction, as the app is told for its receipt.
    ///
    /// - Parameter earnsCredits: whether a transaction increases the credits of its product.
    func access(by record: RecordedTransaction, earnsCredits: (RecordedTransaction) -> Bool) -> Access {
        guard record.owner == account else { return .denied(.ownedByAnotherAccount) }
        guard let terms = record.terms else {
            return .denied(context.reasonWithoutTerms(record.subject, record.transaction.provenType))
        }
        guard context.admits(account, to: record.scope) else { return .denied(.sandbox) }
        if record.transaction.revocation?.share.isAll == true { return .denied(.revoked) }
        if record.transaction.isUpgraded { return .denied(.upgraded) }
        let access: Access = record.isRevoked ? .denied(.revoked) : access(to: record.subject)
        guard case .denied(let reason) = access else {
            return isOver(record) && !earnsCredits(record) ? .denied(.expired) : access
        }
        if earnsCredits(record) || record.isService { return .granted(until: nil) }
        let wouldEarn = !record.isRevoked && (!terms.credits.isEmpty || reason == .consumed)
        return record.transaction.ownershipType.isUnusual && wouldEarn ? .denied(.ownershipType) : access
    }

    /// Whether it is a period that is over, and a later one gives the access.
    private func isOver(_ record: RecordedTransaction) -> Bool {
        let ends = parts[record.subject]?.compactMap(\.product.newest?.expirationDate)
        guard let end = record.transaction.expirationDate, let last = ends?.max() else { return false }
        return end <= context.date && end < last
    }
}

extension Transaction.OwnershipType {
    /// Whether the type is neither of the two that every app has to expect.
    fileprivate var isUnusual: Bool { self != .purchased && self != .familyShared }
}

extension Access {
    /// The more generous of two results; of two denials the other.
    func orBetter(_ other: Access) -> Access {
        switch (self, other) {
        case (.granted(nil), _), (.granted, .denied): self
        case (.granted(let mine?), .granted(let theirs?)): mine >= theirs ? self : other
        default: other
        }
    }
}

extension AccountEntitlements.Part {
    /// The order in which the handlers' answers count; a stable one.
    fileprivate func isOlder(than other: Self) -> Bool {
        switch (product.own, other.product.own) {
        case (let mine?, let theirs?): theirs.isLater(than: mine)
        case (nil, _?): true
        case (_, nil): false
        }
    }
}

extension RecordingContext {
    /// Why a product gives no access to an account that owns no purchase of it any more.
    ///
    /// - Parameter formerEnd: of the last period that the account owned when it began; `nil` if there is none.
    fileprivate func reasonWithoutPurchases(formerEnd: Date?) -> DenialReason {
        formerEnd.map { $0 <= date } ?? false ? .expired : .transferred
    }

    /// Why a product gives no access if no purchase of it has terms.
    ///
    /// - Parameter type: that the latest purchase proves.
    fileprivate func reasonWithoutTerms(_ subject: Subject, _ type: ProductType?) -> DenialReason {
        let product = catalog.product(subject.product, of: subject.scope.app)
        return product.map { !$0.type.fits(provenType: type) } ?? false ? .typeMismatch : .unknownProduct
    }
}
