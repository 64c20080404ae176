package import Foundation

/// Finds what the store should have told of and did not.
package protocol SubscriptionsAwaitingUpdate: Sendable {
    /// Subscriptions whose paid time ended, at most ``SubscriptionAwaitingUpdate/window`` ago, without the store's word on what became
    /// of them: renewed, ended or not paid. Those that ended last come first.
    func subscriptionsAwaitingUpdate(limit: Int, at date: Date) async throws -> [SubscriptionAwaitingUpdate]
}
