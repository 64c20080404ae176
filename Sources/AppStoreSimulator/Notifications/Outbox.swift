import Foundation
import InAppPurchase

/// The latest notifications: the queue of pending ones, in order, and those that were sent or given up.
///
/// Each is in the key/value store before it is in the queue, so a restart continues; in memory is only what is needed
/// to send it, not its body. Of several processes that share a store each sends what it enqueued itself, and when it
/// starts also what it finds: a server may then get a notification twice.
actor Outbox {
    /// The maximum number of notifications, sent or not; a new one takes the place of the oldest, which is then no
    /// longer sent, and leaves the notification history. With 25 kB each they take 250 MB of the disk.
    static let length = 10_000

    /// The next attempt to make.
    struct Sending: Sendable {
        var delivery: NotificationDelivery
        /// Whether the attempt is lost, by an injected fault.
        var isDropped = false
        var isDoubled = false
    }

    private let book: NotificationBook
    private let length: Int
    /// All that are stored, oldest first.
    private var stored: [NotificationBook.Name]
    /// The pending deliveries that are due, by sequence number.
    private var ready: [NotificationDelivery] = []
    /// The other pending deliveries, by the date when they are due.
    private var later: [NotificationDelivery]
    private var sequence: Int
    private var fault = NotificationFault()
    /// The delivery that is sent after the one that follows it.
    private var held: NotificationDelivery?
    private var onChange: @Sendable () -> Void = {}

    init(_ book: NotificationBook, length: Int = Outbox.length) async throws {
        let all = try await book.deliveries()
        let kept = all.suffix(length)
        try await book.remove(all.dropLast(kept.count).map(\.name))
        self.book = book
        self.length = length
        sequence = all.last?.sequence ?? 0
        stored = kept.map(\.name)
        later = kept.filter { $0.due != nil }.sorted { $0.isDue(before: $1) }
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

    /// Stores the notification and enqueues it.
    func send(_ notification: StoredNotification, to address: NotificationAddress, at date: Date) async throws {
        sequence = sequence.saturatingAdding(1)
        let delivery = NotificationDelivery(notification, url: address.url, sequence: sequence, due: date + fault.late)
        stored.append(delivery.name)
        try await book.record(notification, delivery)
        if fault.reorder, held == nil { held = delivery } else { insert(delivery) }
        try await removeOldest()
        onChange()
    }

    /// The first delivery that is due at `date`; it stays in the queue until its result is recorded.
    func next(at date: Date) -> Sending? {
        let due = later.prefix { $0.due.map { $0 <= date } ?? true }
        later.removeFirst(due.count)
        for delivery in due { ready.insert(delivery, at: ready.index { $0.sequence < delivery.sequence }) }
        guard let delivery = ready.first else { return nil }
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
        let index = ready.index { $0.sequence < delivery.sequence }
        let isStored = index < ready.count && ready[index].sequence == delivery.sequence
        if isStored {
            ready.remove(at: index)
            if delivery.due != nil { insert(delivery) }
        }
        release()
        if isStored { try await book.update(delivery) }
    }

    private func removeOldest() async throws {
        guard stored.count > length else { return }
        let oldest = stored.prefix(stored.count - length)
        stored.removeFirst(oldest.count)
        let names = Set(oldest.map(\.sequence))
        ready.removeAll { names.contains($0.sequence) }
        later.removeAll { names.contains($0.sequence) }
        if let held, names.contains(held.sequence) { self.held = nil }
        try await book.remove(Array(oldest))
    }

    private func release() {
        guard let delivery = held else { return }
        held = nil
        insert(delivery)
        onChange()
    }

    private func insert(_ delivery: NotificationDelivery) {
        later.insert(delivery, at: later.index { $0.isDue(before: delivery) })
    }
}

extension NotificationDelivery {
    /// Whether it is due before the other.
    fileprivate func isDue(before other: NotificationDelivery) -> Bool {
        (due ?? .distantPast, sequence) < (other.due ?? .distantPast, other.sequence)
    }
}

extension Array {
    /// The number of elements before a place in an array that is sorted, found in as many steps as its length has bits.
    fileprivate func index(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The URL at which an app's server receives notifications.
struct NotificationAddress: Codable, Hashable, Sendable {
    static let versions = 1...2
    /// The maximum length of the URL; longer than servers accept.
    static let maximumURLLength = 2_048

    /// `http` or `https`.
    var url: String
    var version: Int
    /// The app's shared secret, which only version 1 contains.
    var password: String?

    /// `nil` if the URL is not `http` or `https`.
    init?(url: String, version: Int = 2, password: String? = nil) {
        guard url.utf8.count <= Self.maximumURLLength, let parsed = URL(string: url), parsed.host?.isEmpty == false,
            ["http", "https"].contains(parsed.scheme?.lowercased()), Self.versions.contains(version)
        else { return nil }
        self.url = url
        self.version = version
        self.password = password
    }
}

/// Injected faults in sending notifications. Not stored: a restart removes them.
struct NotificationFault: Sendable {
    /// The number of notifications that are sent twice.
    var duplicate = 0
    /// The delay between signing and the first attempt, in seconds.
    var late: TimeInterval = 0
    /// Whether of every two notifications the second is sent first.
    var reorder = false
    /// The number of attempts that are lost.
    var drop = 0
}

extension NotificationFault: Decodable {
    private enum CodingKeys: CodingKey { case duplicate, late, reorder, drop }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        duplicate = try members.decode(.duplicate, in: SimulatorLimits.faultCount) ?? 0
        late = try members.decode(.late, in: SimulatorLimits.lateness) ?? 0
        reorder = try members.decodeIfPresent(Bool.self, forKey: .reorder) ?? false
        drop = try members.decode(.drop, in: SimulatorLimits.faultCount) ?? 0
        guard duplicate > 0 || late > 0 || reorder || drop > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .drop, in: members, debugDescription: "one of duplicate, late, reorder, drop is needed")
        }
    }
}
