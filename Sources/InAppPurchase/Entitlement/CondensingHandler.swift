public import Foundation

/// A handler whose answers need less than the whole history. Optional: without it all purchases of the account are read
/// for each answer.
///
/// A *standing* is what the purchases of a history amount to. The ledger stores it, and adds new purchases to it. After
/// any other change, such as a refund, it is recomputed from all purchases of that history; `ledger rebuild --check`
/// compares. ``ProductHandler/entitlement(to:given:at:)`` has a default, by the standing of the whole history, and so
/// have the two functions that make an ``AdditiveStanding``.
///
/// The handler's credits are those that ``PurchaseHistory/credits(of:)`` counts. A standing depends neither on the
/// date, so that a clock that is set back changes nothing, nor on ``Transaction/signedDate``, ``Transaction/isSigned``
/// or ``Transaction/appAccountToken``: a copy that differs in nothing else leaves the standing as it is.
public protocol CondensingHandler: ProductHandler {
    /// The summary of a history. It is stored as JSON with dates in whole milliseconds, or as a ``CompactStanding``.
    associatedtype Standing: Codable & Hashable & Sendable

    /// The version of the rule by which standings are computed. Increase it when the same purchases give another
    /// standing, or a stored one can no longer be decoded; stored standings of other versions are then recomputed.
    static var standingVersion: Int { get }

    /// The standing of a whole history, revoked purchases included. It tells the access at every date.
    static func standing(of history: PurchaseHistory<Self>) -> Standing

    /// The part of a whole history's standing that is stored, small however many purchases there are. By default all
    /// of it.
    static func condensed(_ standing: Standing) -> Standing

    /// The stored standing with one more purchase, which is no restored copy of another one in it. It may be older than
    /// the purchases in it.
    ///
    /// - Returns: `nil` if the purchase cannot be added; the standing is then recomputed from all purchases.
    static func standing(_ standing: Standing, adding purchase: Purchase<Self>) -> Standing?

    /// The access by a standing.
    ///
    /// - Parameters:
    ///   - product: one of the products in the history.
    ///   - standing: of the history.
    ///   - renewals: as in ``PurchaseHistory/renewals``.
    ///   - date: the time to decide for.
    /// - Returns: `nil` if a stored standing cannot tell, as for a date in the past; all purchases are then read.
    static func access(
        to product: ProductID, given standing: Standing, renewals: [TransactionID: RenewalFacts], at date: Date
    ) -> Access?

    /// The newest ``Entitlement/runs`` of the product, oldest first: all of them, or 20. By default none.
    static func runs(of product: ProductID, in standing: Standing) -> [DateInterval]
}

extension CondensingHandler {
    /// The default: by the standing of the whole history.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let standing = standing(of: history)
        let access = access(to: product, given: standing, renewals: history.renewals, at: date)
        return Entitlement(
            access: access ?? .denied(.expired), credits: history.credits(of: product),
            runs: runs(of: product, in: standing))
    }

    /// The default: the whole standing is stored.
    public static func condensed(_ standing: Standing) -> Standing { standing }

    /// The default: none.
    public static func runs(of product: ProductID, in standing: Standing) -> [DateInterval] { [] }
}
