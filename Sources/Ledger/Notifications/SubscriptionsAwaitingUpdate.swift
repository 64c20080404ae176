package import Foundation

/// Finds subscriptions about which a notification is missing.
package protocol SubscriptionsAwaitingUpdate: Sendable {
    /// Returns subscriptions whose paid period ended, at most ``SubscriptionAwaitingUpdate/window`` ago, without a
    /// statement of the App Store on what became of them: renewed, ended or not paid. Those that ended last come first.
    func subscriptionsAwaitingUpdate(limit: Int, at date: Date) async throws -> [SubscriptionAwaitingUpdate]
}
