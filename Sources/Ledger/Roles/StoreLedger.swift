package import Foundation
package import InAppPurchase

/// The exchange with a store beside receipts.
///
/// - Notifications are recorded and applied exactly once each, in any order.
/// - Subscriptions without a notification are found, to be asked about.
/// - A consumption request (CONSUMPTION_REQUEST) asks about a purchase that the customer wants refunded. The answer
///   contains only what is recorded, and is sent only with the customer's consent.
/// - Tasks are what the store is asked for after a delivery or a transfer, which queue them in their own transaction.
/// - Backfill reads stored bytes again for facts that earlier releases did not keep. Servers that share a ledger share
///   the work.
package protocol StoreLedger: Sendable {
    // MARK: Notifications

    /// Records a notification and applies its facts, in one commit. One that was fetched before and is delivered now
    /// counts as delivered from now on.
    ///
    /// - Returns: what was observed; `nil` if a notification with its ID was recorded before, and nothing happened.
    func record(_ notification: AppStoreNotification, in context: RecordingContext) async throws -> Observation?

    /// Records a notification whose facts are not verified, as pending: the App Store is to be asked for them from
    /// `retry` on.
    ///
    /// - Returns: whether it is new; a known one stays as it is.
    func enqueue(_ notification: AppStoreNotification, retryAt retry: Date, at date: Date) async throws -> Bool

    /// Leases pending notifications that are due: of each app an equal share, in the order in which they became due.
    /// Each is postponed to `lease`, so that no other worker takes it.
    func dueNotifications(limit: Int, lease: Date, at date: Date) async throws -> [PendingNotification]

    /// Applies the App Store's answer about a pending notification. Idempotent.
    ///
    /// - Parameter facts: `nil` if the App Store will never answer; the notification stays recorded.
    func complete(
        notification id: String, _ facts: VerifiedReceipt?, in context: RecordingContext
    ) async throws -> Observation?

    /// Postpones a pending notification. Does nothing if it was completed meanwhile.
    func postpone(notification id: String, attempts: Attempts, until retry: Date) async throws

    /// Returns notifications, latest recorded first; at most `limit`.
    ///
    /// - Parameters:
    ///   - app: only those that name the app; `nil` for all.
    ///   - position: of the last one of the previous page; `nil` for the first page.
    func notifications(
        of app: BundleID?, after position: ListedNotification.Position?, limit: Int
    ) async throws -> [ListedNotification]

    /// Returns the date on which the store last sent a notification before a date; `nil` if it sent none. Notifications
    /// that the server fetched do not count.
    ///
    /// - Parameter app: only of those that name the app; `nil` for all.
    func lastDelivery(of app: BundleID?, before date: Date) async throws -> Date?

    // MARK: Backfill

    /// Returns how far the backfill has come.
    func backfillPosition() async throws -> BackfillPosition

    /// Returns the next stored bytes; a page without items is not the last unless its ``BackfillPage/next`` is `done`.
    func backfillPage(after position: BackfillPosition) async throws -> BackfillPage

    /// Merges what was read in a page into what is recorded, and moves the position behind the page, in one commit. So
    /// a server that is killed reads at most one page again.
    ///
    /// - Returns: the number of changed rows; `nil` if another server moved the position from `position` meanwhile, and
    ///   nothing happened.
    func fill(
        _ facts: [VerifiedReceipt], from position: BackfillPosition, to next: BackfillPosition,
        in context: RecordingContext
    ) async throws -> Int?

    // MARK: Subscriptions without a notification

    /// Returns subscriptions whose paid period ended, at most ``SubscriptionAwaitingUpdate/window`` ago, without a
    /// statement of the App Store on what became of them: renewed, ended or not paid. Those that ended last come first.
    func subscriptionsAwaitingUpdate(limit: Int, at date: Date) async throws -> [SubscriptionAwaitingUpdate]

    // MARK: Consumption requests

    /// Leases the requests without an answer that are due, oldest first: each is postponed to `lease`.
    func dueConsumptionRequests(limit: Int, lease: Date, at date: Date) async throws -> [ConsumptionRequest]

    /// Returns the consumption of the purchase as of now; `nil` if the transaction is not recorded with an owner, or if
    /// the account that was credited for it did not consent.
    func consumption(for request: ConsumptionRequest, in context: RecordingContext) async throws -> ConsumptionReport?

    /// Records the outcome of a request: answered, or why not. Idempotent.
    func finish(_ request: ConsumptionRequest, _ outcome: ConsumptionRequest.Outcome, at date: Date) async throws

    // MARK: Store tasks

    /// Leases the tasks that are due: of each app an equal share, in the order in which they became due. Each is
    /// postponed to `lease`, so that no other worker takes it.
    func dueStoreTasks(limit: Int, lease: Date, at date: Date) async throws -> [StoreTask]

    /// Postpones a task. Does nothing if it was completed, or replaced by one for another owner.
    func postpone(_ task: StoreTask, attempts: Attempts, until retry: Date) async throws

    /// Removes a task from the queue, with a row in the audit trail if the store was asked. If it was replaced by one
    /// for another owner meanwhile, that one stays, and nothing is recorded.
    ///
    /// - Returns: whether it was removed; the second time `false`.
    @discardableResult
    func complete(_ task: StoreTask, _ outcome: StoreTask.Outcome, at date: Date) async throws -> Bool
}
