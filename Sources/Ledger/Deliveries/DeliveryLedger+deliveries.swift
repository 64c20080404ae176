package import Foundation

extension DeliveryLedger {
    /// The first ``manifestDeliveries(unconfirmed:_:after:limit:)`` of all.
    package func manifestDeliveries(
        unconfirmed: Bool, until date: Date, limit: Int
    ) async throws -> [ManifestDelivery] {
        try await manifestDeliveries(unconfirmed: unconfirmed, DeliveryFilter(until: date), after: nil, limit: limit)
    }

    /// The first ``purchasesNeverFetched(_:after:limit:)`` of all.
    package func purchasesNeverFetched(until date: Date, limit: Int) async throws -> [UnfetchedPurchase] {
        try await purchasesNeverFetched(DeliveryFilter(until: date), after: nil, limit: limit)
    }
}
