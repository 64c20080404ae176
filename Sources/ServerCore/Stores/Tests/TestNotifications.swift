package import Basics
import Foundation
package import InAppPurchase
import Ledger
import ServerHTTP
import StrictJSON

/// The last test notification of each app and environment, in the ledger: when it was requested, and whether it
/// arrived. Their number is limited by that of the apps, and all servers of a ledger share them.
package struct TestNotifications: Sendable {
    /// In seconds, the maximum difference of the store's clock to this server's: a notification signed that long before
    /// the request is of an earlier one.
    static let clockTolerance: TimeInterval = 5 * 60

    private static let prefix = "testNotifications/"

    package let ledger: any KeyValueStore

    package init(ledger: any KeyValueStore) {
        self.ledger = ledger
    }

    /// All records, by app and environment.
    package func all() async throws -> [TestNotificationRecord] {
        try await ledger.values(withPrefix: Self.prefix).sorted { $0.key < $1.key }
            .map { try Self.decode($0.value) }
    }

    package func last(of app: BundleID, in environment: Environment) async throws -> TestNotificationRecord? {
        try await ledger.value(forKey: Self.key(app, environment)).map(Self.decode)
    }

    package func set(_ record: TestNotificationRecord) async throws {
        try await ledger.set([Self.key(record.app, record.environment): try Self.encode(record)])
    }

    /// Restores what was there before a request that the store did not answer, unless its notification came.
    package func undo(_ request: TestNotificationRecord, to old: TestNotificationRecord?) async throws {
        guard try await last(of: request.app, in: request.environment) == request else { return }
        if let old { return try await set(old) }
        try await ledger.removeValues(forKeys: [Self.key(request.app, request.environment)])
    }

    /// Records that the store sent a notification to this server, if it is the test that was requested. Idempotent.
    func recordArrival(of notification: AppStoreNotification, at date: Date) async throws {
        guard notification.type == AppStoreNotification.test, let app = notification.app,
            let environment = notification.environment, var record = try await last(of: app, in: environment),
            record.arrivedAt == nil,
            notification.signedDate >= record.requestedAt.addingTimeInterval(-Self.clockTolerance)
        else { return }
        record.arrivedAt = date
        record.refusal = nil
        try await set(record)
    }

    private static func key(_ app: BundleID, _ environment: Environment) -> String {
        "\(prefix)\(environment.rawValue)/\(app)"
    }

    private static func encode(_ record: TestNotificationRecord) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        return try encoder.encode(record)
    }

    private static func decode(_ value: Data) throws -> TestNotificationRecord {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        return try decoder.decode(TestNotificationRecord.self, from: value)
    }
}
