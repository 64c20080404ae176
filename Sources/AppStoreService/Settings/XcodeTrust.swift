import AppStore
package import Foundation
import InAppPurchase
package import ServerCore
import ServerHTTP

extension AppStoreSettings {
    /// The trust anchors with Xcode's certificates, each for its own app only.
    ///
    /// - Throws: ``/ServerHTTP/SettingError`` that names the file.
    func xcodeAnchors(of apps: [BundleID]) throws -> TrustAnchors {
        try apps.reduce(TrustAnchors(signedDataRoots: [], receiptRoots: [])) { anchors, app in
            try xcodeCertificates(app).reduce(anchors) { anchors, path in
                guard let certificate = try? Data(contentsOf: URL(filePath: path)) else {
                    throw SettingError("apps.\(app).xcodeCertificates: \(path) cannot be read")
                }
                do {
                    return anchors.adding(
                        try TrustAnchors(
                            signedDataRoots: [], receiptRoots: [], xcodeCertificates: [app: [certificate]]))
                } catch {
                    throw SettingError("apps.\(app).xcodeCertificates: \(path) is no certificate in DER")
                }
            }
        }
    }
}

extension ServingContext {
    /// Reads the settings. An app that is added to the catalog later gets Xcode's environment at the next start.
    package init(_ settings: Settings, _ live: LiveCatalog, clock: @escaping @Sendable () -> Date) throws {
        let apps = live.current.catalog.apps.map(\.bundleID)
        self.init(
            live: live, testers: settings.testers,
            xcodeApps: Set(try apps.filter { try !settings.appStore.xcodeCertificates($0).isEmpty }), clock: clock,
            provisionalTime: settings.provisionalTime, receiptBytes: settings.receiptBytes)
    }
}
