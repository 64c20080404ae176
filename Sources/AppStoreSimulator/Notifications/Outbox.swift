import Foundation
import InAppPurchase

/// What is still to be sent, in order.
///
/// It was in the key/value store before it is here, so a restart goes on. Of several processes that share a store each
/// sends what it queued itself, and when it starts also what it finds: a server may then get a notification twice.
actor Outbox {
    /// A server that has been away for so many is better found through the notification history.
    static let length = 10_000

    /// What an attempt is to do.
    struct Sending: Sendable {
        var delivery: NotificationDelivery
        /// Lost on the way.
        var isDropped = false
        var isDoubled = false
    }

    private let book: NotificationBook
    /// By their sequence.
    private var waiting: [NotificationDelivery]
    private var sequence: Int
    private var fault = NotificationFault()
    /// Sent after the one that follows it.
    private var held: NotificationDelivery?
    private var onChange: @Sendable () -> Void = {}

    init(_ book: NotificationBook) async throws {
        let all = try await book.deliveries()
        self.book = book
        sequence = all.last?.sequence ?? 0
        waiting = Array(all.filter { $0.due != nil }.suffix(Self.length))
    }

    /// Calls `body` whenever there may be something to send; replaces the one before.
    func observe(_ body: @escaping @Sendable () -> Void) {
        onChange = body
        body()
    }

    /// The time has changed.
    func look() { onChange() }

    /// Replaces the one before.
    func post(_ fault: NotificationFault) {
        self.fault = fault
        if !fault.reorder { release() }
    }

    /// Records the notification and queues it; where the queue is full it is recorded as not sent.
    func send(_ notification: StoredNotification, to address: NotificationAddress, at date: Date) async throws {
        sequence = sequence.saturatingAdding(1)
        var delivery = NotificationDelivery(
            id: notification.id, app: notification.app, environment: notification.environment,
            version: notification.version, url: address.url, sequence: sequence, due: date + fault.late)
        if waiting.count >= Self.length {
            delivery.due = nil
            delivery.attempts = [SendAttempt(date: date, result: .other)]
        }
        try await book.record(notification, delivery)
        guard delivery.due != nil else { return }
        if fault.reorder, held == nil { held = delivery } else { insert(delivery) }
        onChange()
    }

    /// The first that is due at `date`; it stays in the queue until it is entered.
    func next(at date: Date) -> Sending? {
        guard let delivery = waiting.first(where: { $0.due.map { $0 <= date } ?? false }) else { return nil }
        var sending = Sending(delivery: delivery)
        if fault.drop > 0 {
            (fault.drop, sending.isDropped) = (fault.drop - 1, true)
        } else if fault.duplicate > 0 {
            (fault.duplicate, sending.isDoubled) = (fault.duplicate - 1, true)
        }
        return sending
    }

    /// Enters what became of an attempt. Durable when it returns.
    func enter(_ result: SendAttempt.Result, of delivery: NotificationDelivery, at date: Date) async throws {
        var delivery = delivery
        delivery.enter(result, at: date)
        if let place = waiting.firstIndex(where: { $0.sequence == delivery.sequence }) { waiting.remove(at: place) }
        if delivery.due != nil { insert(delivery) }
        release()
        try await book.update(delivery)
    }

    private func release() {
        guard let delivery = held else { return }
        held = nil
        insert(delivery)
        onChange()
    }

    private func insert(_ delivery: NotificationDelivery) {
        let place = waiting.lastIndex { $0.sequence < delivery.sequence }.map { $0 + 1 } ?? 0
        waiting.insert(delivery, at: place)
    }
}
