public import Foundation

/// A handler whose answers need less than the whole history. Optional: without it all purchases of the account are read
/// for each answer.
///
/// The ledger stores a *standing* of each history: what the purchases amount to. A new purchase is added to it. After
/// any other change, such as a refund, it is recomputed from all purchases of that history, so that
/// ``ProductHandler/entitlement(to:given:at:)`` stays the definition; `ledger rebuild --check` compares.
///
/// The handler's credits are those that ``PurchaseHistory/credits(of:)`` counts. A standing depends neither on the
/// date, so that a clock that is set back changes nothing, nor on ``Transaction/signedDate``, ``Transaction/isSigned``
/// or ``Transaction/appAccountToken``: a copy that differs in nothing else leaves the standing as it is.
public protocol CondensingHandler: ProductHandler {
    /// The summary of a history. It is stored as JSON with dates in whole milliseconds, so keep it small, whatever the
    /// number of purchases.
    associatedtype Standing: Codable & Hashable & Sendable

    /// The version of the rule by which standings are computed. Increase it when the same purchases give another
    /// standing, or a stored one can no longer be decoded; stored standings of other versions are then recomputed.
    static var standingVersion: Int { get }

    /// The standing of a history, revoked purchases included.
    static func standing(of history: PurchaseHistory<Self>) -> Standing

    /// The standing with one more purchase, which is no restored copy of another one in it. It may be older than the
    /// purchases in it.
    ///
    /// - Returns: `nil` if the purchase cannot be added; the standing is then recomputed from all purchases.
    static func standing(_ standing: Standing, adding purchase: Purchase<Self>) -> Standing?

    /// The access that ``ProductHandler/entitlement(to:given:at:)`` gives.
    ///
    /// - Parameters:
    ///   - product: one of the products in the history.
    ///   - standing: of the history.
    ///   - renewals: as in ``PurchaseHistory/renewals``.
    ///   - date: the time to decide for.
    /// - Returns: `nil` if the standing cannot tell, as for a date in the past; all purchases are then read.
    static func access(
        to product: ProductID, given standing: Standing, renewals: [TransactionID: RenewalFacts], at date: Date
    ) -> Access?

    /// The newest ``Entitlement/runs`` of the product, oldest first: all of them, or 20. By default none.
    static func runs(of product: ProductID, in standing: Standing) -> [DateInterval]
}

extension CondensingHandler {
    /// The default: none.
    public static func runs(of product: ProductID, in standing: Standing) -> [DateInterval] { [] }
}
