import Basics
import Foundation
import InAppPurchase

/// All notifications and their deliveries, in the key/value store.
///
/// They have separate keys, so that pending deliveries are found without reading every body.
struct NotificationBook: Sendable {
    /// A notification and the state of its delivery.
    struct Entry: Sendable {
        var notification: StoredNotification
        var delivery: NotificationDelivery
    }

    /// The place of a notification among all, and its keys in the store.
    struct Name: Sendable {
        var sequence: Int
        var keys: [String]
    }

    let store: any KeyValueStore

    /// Stores both or neither; durable when it returns.
    func record(_ notification: StoredNotification, _ delivery: NotificationDelivery) async throws {
        let encoder = JSONEncoder()
        try await store.set([
            notification.storeKey: encoder.encode(notification), delivery.storeKey: encoder.encode(delivery),
        ])
    }

    func update(_ delivery: NotificationDelivery) async throws {
        try await store.set([delivery.storeKey: JSONEncoder().encode(delivery)])
    }

    /// All deliveries, in the order of sending.
    func deliveries() async throws -> [NotificationDelivery] {
        try await deliveries(withPrefix: "simulator/deliveries/")
    }

    func notification(of delivery: NotificationDelivery) async throws -> StoredNotification? {
        try await store.value(forKey: "simulator/notifications/\(delivery.place.key)/\(delivery.id)")
            .map { try JSONDecoder().decode(StoredNotification.self, from: $0) }
    }

    /// The notification of an app and environment with this ID; `nil` if it is unknown.
    func entry(_ id: String, of place: AppPlace) async throws -> Entry? {
        guard let data = try await store.value(forKey: "simulator/deliveries/\(place.key)/\(id)") else { return nil }
        let delivery = try JSONDecoder().decode(NotificationDelivery.self, from: data)
        return try await notification(of: delivery).map { Entry(notification: $0, delivery: delivery) }
    }

    /// The deliveries of an app and environment, in the order of sending.
    func deliveries(of place: AppPlace) async throws -> [NotificationDelivery] {
        try await deliveries(withPrefix: "simulator/deliveries/\(place.key)/")
    }

    /// Removes notifications and their deliveries.
    func remove(_ names: [Name]) async throws { try await store.removeValues(forKeys: names.flatMap(\.keys)) }

    private func deliveries(withPrefix prefix: String) async throws -> [NotificationDelivery] {
        try await store.values(withPrefix: prefix).values
            .map { try JSONDecoder().decode(NotificationDelivery.self, from: $0) }
            .sorted { ($0.sequence, $0.id) < ($1.sequence, $1.id) }
    }
}

/// A notification as it was first signed.
struct StoredNotification: Codable, Sendable {
    /// `notificationUUID`.
    var id: String
    var type: String
    var subtype: String?
    var app: BundleID
    var environment: Environment
    /// The original transaction that it is about; `nil` for a test.
    var originalTransactionID: TransactionID?
    /// The customer's `appTransactionId`.
    var appTransactionID: String?
    var version: Int
    var signedDate: Date
    /// The JSON that is posted, the same in every attempt.
    var body: Data

    var storeKey: String { "simulator/notifications/\(AppPlace(app: app, environment: environment).key)/\(id)" }
}
