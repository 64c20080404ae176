import Foundation
import InAppPurchase

/// The queue of pending notifications, in order.
///
/// Each is in the key/value store before it is in the queue, so a restart continues. Of several processes that share a
/// store each sends what it enqueued itself, and when it starts also what it finds: a server may then get a
/// notification twice.
actor Outbox {
    /// The maximum length of the queue. A server that has missed so many is better served by the notification history.
    static let length = 10_000

    /// The next attempt to make.
    struct Sending: Sendable {
        var delivery: NotificationDelivery
        /// Whether the attempt is lost, by an injected fault.
        var isDropped = false
        var isDoubled = false
    }

    private let book: NotificationBook
    /// The pending deliveries by sequence number.
    private var waiting: [NotificationDelivery]
    private var sequence: Int
    private var fault = NotificationFault()
    /// The delivery that is sent after the one that follows it.
    private var held: NotificationDelivery?
    private var onChange: @Sendable () -> Void = {}

    init(_ book: NotificationBook) async throws {
        let all = try await book.deliveries()
        self.book = book
        sequence = all.last?.sequence ?? 0
        waiting = Array(all.filter { $0.due != nil }.suffix(Self.length))
    }

    /// Calls `body` whenever there may be something to send; replaces the observer before.
    func observe(_ body: @escaping @Sendable () -> Void) {
        onChange = body
        body()
    }

    /// Checks for due notifications after a change of the clock.
    func look() { onChange() }

    /// Sets the injected faults in place of the previous ones.
    func post(_ fault: NotificationFault) {
        self.fault = fault
        if !fault.reorder { release() }
    }

    /// Stores the notification and enqueues it; if the queue is full it is stored as not sent.
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

    /// The first delivery that is due at `date`; it stays in the queue until its result is recorded.
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

    /// Records the result of an attempt. Durable when it returns.
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
