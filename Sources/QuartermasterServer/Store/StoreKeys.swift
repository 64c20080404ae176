import AppStore
import Foundation
import InAppPurchase

/// The apps' keys for the App Store Server API. An app without one is served without the API.
struct StoreKeys: Sendable {
    /// What identifies a key, and where its private part stands.
    struct Setting: Sendable {
        var issuerID: String
        var keyID: String
        /// A `.p8` file, as App Store Connect gives it once.
        var privateKeyFile: String
    }

    private let find: @Sendable (BundleID) async -> AppStoreServerKey?

    init(_ find: @escaping @Sendable (BundleID) async -> AppStoreServerKey?) { self.find = find }

    func key(for app: BundleID) async -> AppStoreServerKey? { await find(app) }

    /// Reads the keys of all apps that are served; of an app that is added later it is read at the next start.
    ///
    /// - Throws: ``SettingError`` that names the app and the file, and holds nothing of the key.
    static func read(_ settings: Settings, apps: [BundleID]) throws -> StoreKeys {
        var keys: [BundleID: AppStoreServerKey] = [:]
        for app in apps {
            guard let setting = try settings.serverKey(app) else { continue }
            guard let pem = try? String(contentsOfFile: setting.privateKeyFile, encoding: .utf8) else {
                throw SettingError("apps.\(app).privateKeyFile: \(setting.privateKeyFile) cannot be read")
            }
            do throws(AppStoreServerKey.Invalid) {
                keys[app] = try AppStoreServerKey(
                    issuerID: setting.issuerID, keyID: setting.keyID, bundleID: app, pem: pem)
            } catch {
                throw SettingError("apps.\(app): \(error.description)")
            }
        }
        return StoreKeys { [keys] in keys[$0] }
    }
}
