package import Foundation
package import InAppPurchase

/// A grant, with who gave it and why.
package struct RecordedGrant: Sendable {
    package var grant: ProductGrant
    /// The product as it was when it was given; `nil` if this server has no handler for its type.
    package var terms: Product?
    package var actor: String
    package var reason: String
    package var date: Date
    /// When it was taken back; `nil` if it was not.
    package var revokedAt: Date?

    package init(
        grant: ProductGrant, terms: Product?, actor: String, reason: String, date: Date, revokedAt: Date? = nil
    ) {
        self.grant = grant
        self.terms = terms
        self.actor = actor
        self.reason = reason
        self.date = date
        self.revokedAt = revokedAt
    }

    /// Whether it gives access at the date: it was not taken back, and its end has not come.
    package func stands(at date: Date) -> Bool { revokedAt == nil && grant.end.map { $0 > date } ?? true }
}
