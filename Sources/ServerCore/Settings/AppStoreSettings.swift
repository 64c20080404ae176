package import AppStore
import Configuration
import Foundation
package import InAppPurchase
import ServerHTTP

/// The operator's settings that are about the App Store.
package struct AppStoreSettings: Sendable {
    /// The identifiers of a key, and the path of its private part.
    package struct ServerKey: Sendable {
        package var issuerID: String
        package var keyID: String
        /// The path of a `.p8` file, which App Store Connect offers for download once.
        package var privateKeyFile: String
    }

    /// The verifier of app receipts.
    package var appReceipts: AppReceiptVerification
    /// The files with further root certificates (DER) for signed data and app receipts.
    package var roots: [String]
    package var verifyReceipt: VerifyReceiptClient.Endpoints
    package var serverAPI: AppStoreServerClient.Endpoints
    /// The shared secret of an app; `nil` if it has none.
    package var secrets: @Sendable (BundleID) -> String?
    /// The key of an app for the App Store Server API; `nil` if it has none.
    package var serverKey: @Sendable (BundleID) throws -> ServerKey?
    /// The files (DER) with the certificates of Xcode's StoreKit testing that an app trusts.
    package var xcodeCertificates: @Sendable (BundleID) throws -> [String]

    /// The apps that the settings name, as in ``SettingSources``.
    private let namedApps: [String: String]

    /// The names under `apps.<bundle ID>`.
    static let appNames = appTextNames.union(["xcodeCertificates"])
    /// The names under `apps.<bundle ID>` whose values are strings.
    static let appTextNames = Set(["sharedSecret"] + SettingSources.serverKeyNames)

    /// - Throws: ``/ServerHTTP/SettingError`` for the first value that is invalid.
    package init(_ sources: SettingSources) throws {
        roots = try sources.list("rootCertificates", "file names") { $0 }
        appReceipts = try sources.word("appReceipts", "local or verifyReceipt", or: .local)
        let apple = VerifyReceiptClient.Endpoints.apple
        verifyReceipt = VerifyReceiptClient.Endpoints(
            production: try sources.url("verifyReceipt.production", or: apple.production),
            sandbox: try sources.url("verifyReceipt.sandbox", or: apple.sandbox))
        let store = AppStoreServerClient.Endpoints.apple
        serverAPI = AppStoreServerClient.Endpoints(
            production: try sources.url("serverAPI.production", or: store.production),
            sandbox: try sources.url("serverAPI.sandbox", or: store.sandbox))
        for name in Self.appNames { sources.declare("apps.<bundle ID>.\(name)") }
        secrets = { sources.secret(ConfigKey(["apps", $0.text, "sharedSecret"])) }
        serverKey = { try sources.serverKey(of: $0) }
        xcodeCertificates = { try sources.xcodeCertificates(of: $0) }
        namedApps = sources.namedApps
    }

    /// The settings of apps that the catalog does not have: of one that is to be added, or misspelt.
    package func unknownApps(in catalog: Catalog) -> [SetupItem] {
        let known = Dictionary(catalog.apps.map { (SettingSources.variableName($0.bundleID.text), $0.bundleID) }) {
            first, _ in first
        }
        return namedApps.filter { known[$0.key] == nil }.sorted { $0.key < $1.key }.map { name, place in
            let meant = name.nearest(in: known.keys).flatMap { known[$0] }
            return SetupItem(
                .unknownApp, "the settings name an app that the catalog does not have", mistake: place,
                remedy: meant.map { "Correct the app's ID: did you mean \($0)?" }
                    ?? "Correct the app's ID, or add the app to the catalog.")
        }
    }

    /// - Throws: ``/ServerHTTP/SettingError`` that names the file.
    package func configuredRoots() throws -> TrustAnchors {
        let certificates = try roots.map { path in
            do {
                return try Data(contentsOf: URL(filePath: path))
            } catch {
                throw SettingError("rootCertificates: \(path) cannot be read")
            }
        }
        return try zip(roots, certificates).reduce(TrustAnchors(signedDataRoots: [], receiptRoots: [])) {
            anchors, file in
            do {
                return anchors.adding(try TrustAnchors(signedDataRoots: [file.1], receiptRoots: [file.1]))
            } catch {
                throw SettingError("rootCertificates: \(file.0) is no certificate in DER")
            }
        }
    }
}

extension SettingSources {
    fileprivate func xcodeCertificates(of app: BundleID) throws -> [String] {
        try value(
            "apps.\(app).xcodeCertificates", "file names", at: ConfigKey(["apps", app.text, "xcodeCertificates"])
        ) { $0.stringArray(forKey: $1) } ?? []
    }

    /// The names of the parts of a key for the App Store Server API.
    fileprivate static let serverKeyNames = ["issuerID", "keyID", "privateKeyFile"]

    /// - Throws: ``/ServerHTTP/SettingError`` if only a part of the key is set.
    fileprivate func serverKey(of app: BundleID) throws -> AppStoreSettings.ServerKey? {
        let names = Self.serverKeyNames
        let values = names.map { secret(ConfigKey(["apps", app.text, $0])) }
        guard values.contains(where: { $0 != nil }) else { return nil }
        guard let issuer = values[0], let key = values[1], let file = values[2] else {
            throw SettingError("apps.\(app): a key for the App Store Server API needs \(names.joined(separator: ", "))")
        }
        return AppStoreSettings.ServerKey(issuerID: issuer, keyID: key, privateKeyFile: file)
    }
}

/// The verifier of app receipts (PKCS#7).
package enum AppReceiptVerification: String, Sendable {
    /// This server, by Apple's signature, even if the App Store is unavailable.
    case local
    /// The App Store, by its deprecated `verifyReceipt`, which knows what happened after the receipt was made.
    case verifyReceipt
}
