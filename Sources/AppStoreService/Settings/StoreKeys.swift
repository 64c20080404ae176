package import AppStore
import Foundation
package import InAppPurchase
import ServerCore
import ServerHTTP

/// The apps' keys for the App Store Server API. An app without a key is served without the API.
package struct StoreKeys: Sendable {
    private let find: @Sendable (BundleID) async -> AppStoreServerKey?

    init(_ find: @escaping @Sendable (BundleID) async -> AppStoreServerKey?) { self.find = find }

    package func key(for app: BundleID) async -> AppStoreServerKey? { await find(app) }

    /// Reads the keys of all apps that are served; the key of an app that is added later is read at the next start.
    ///
    /// - Throws: ``/ServerHTTP/SettingError`` that names the app and the file, and contains nothing of the key.
    static func read(_ settings: AppStoreSettings, apps: [BundleID]) throws -> StoreKeys {
        var keys: [BundleID: AppStoreServerKey] = [:]
        for app in apps {
            guard let setting = try settings.serverKey(app) else { continue }
            guard let pem = try? String(contentsOfFile: setting.privateKeyFile, encoding: .utf8) else {
                let file = setting.privateKeyFile
                let cause = LocalUser.current.hindrance(at: file) ?? "it is no text"
                throw SettingError("apps.\(app).privateKeyFile: \(file) cannot be read: \(cause)")
            }
            do throws(AppStoreServerKey.KeyError) {
                keys[app] = try AppStoreServerKey(
                    issuerID: setting.issuerID, keyID: setting.keyID, bundleID: app, pem: pem)
            } catch {
                throw SettingError("apps.\(app): \(error.description)")
            }
        }
        return StoreKeys { [keys] in keys[$0] }
    }
}
