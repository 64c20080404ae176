import Foundation
import InAppPurchase

/// Where an app's server takes notifications.
struct NotificationAddress: Codable, Hashable, Sendable {
    static let versions = 1...2
    /// Longer than any URL that servers take.
    static let maximumURLLength = 2_048

    /// `http` or `https`.
    var url: String
    var version: Int
    /// The app's shared secret, which only version 1 carries.
    var password: String?

    /// Nil where the URL is none of the web.
    init?(url: String, version: Int = 2, password: String? = nil) {
        guard url.utf8.count <= Self.maximumURLLength, let parsed = URL(string: url), parsed.host?.isEmpty == false,
            ["http", "https"].contains(parsed.scheme?.lowercased()), Self.versions.contains(version)
        else { return nil }
        self.url = url
        self.version = version
        self.password = password
    }
}

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
