import Basics
import Foundation
import InAppPurchase

/// The addresses that were set, in the key/value store: the one of an app and environment goes before that of all.
actor NotificationAddresses {
    private let store: any KeyValueStore
    /// Where nothing is set. Not kept: a server tells it anew when it starts.
    private var standard: NotificationAddress?

    init(store: any KeyValueStore) { self.store = store }

    func setStandard(_ address: NotificationAddress?) { standard = address }

    /// - Parameter address: nil takes it back.
    func set(_ address: NotificationAddress?, app: BundleID?, environment: Environment?) async throws {
        let value = try address.map { try JSONEncoder().encode($0) } ?? Data()
        try await store.set([Self.key(app, environment): value])
    }

    /// The address for an app and environment; nil where none is known.
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
        let name = Customer(app: app ?? "", environment: environment ?? .xcode, name: "").key
        return "simulator/notification-urls/\(name)"
    }
}
