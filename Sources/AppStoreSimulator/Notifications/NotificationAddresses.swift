import Basics
import Foundation
import InAppPurchase

/// The notification URLs in the key/value store: that of an app and environment takes precedence over that of all.
actor NotificationAddresses {
    private let store: any KeyValueStore
    /// The default if nothing is set. Not stored: a server sets it when it starts.
    private var standard: NotificationAddress?

    init(store: any KeyValueStore) { self.store = store }

    func setStandard(_ address: NotificationAddress?) { standard = address }

    /// - Parameter address: `nil` removes it.
    func set(_ address: NotificationAddress?, app: BundleID?, environment: Environment?) async throws {
        let value = try address.map { try JSONEncoder().encode($0) } ?? Data()
        try await store.set([Self.key(app, environment): value])
    }

    /// The URL for an app and environment; `nil` if none is set.
    func address(app: BundleID?, environment: Environment?) async throws -> NotificationAddress? {
        let places: [(BundleID?, Environment?)] = [(app, environment), (app, nil), (nil, environment), (nil, nil)]
        for (app, environment) in places {
            let value = try await store.value(forKey: Self.key(app, environment)) ?? Data()
            if !value.isEmpty { return try JSONDecoder().decode(NotificationAddress.self, from: value) }
        }
        return standard
    }

    private static func key(_ app: BundleID?, _ environment: Environment?) -> String {
        // No app's ID is empty, so that "all apps" is none of them.
        let name = Customer(app: app ?? BundleID(stored: ""), environment: environment ?? .xcode, name: "").key
        return "simulator/notification-urls/\(name)"
    }
}
