import AppStore
import Configuration
import Content
import Foundation
import InAppPurchase
import LedgerPostgres
import Logging
import ObjectStore

/// What the operator chose. From flags, then the environment, then a file, then defaults.
struct Settings: Sendable {
    /// The configuration file that was read.
    var file: String?
    var host: String
    var port: Int
    /// Nil: HTTP without TLS.
    var tls: TLSFiles?
    /// A SQLite file, or the URL of a PostgreSQL database, which may hold a password; see ``databaseName``.
    var database: String
    var products: String
    /// Where the catalog is kept.
    var catalog: CatalogLocation
    /// The content folder, or `s3://` and a bucket.
    var content: String
    /// Nil where the content is a folder.
    var objectStore: ObjectStoreSettings?
    var simulator: Bool
    var simulatorPort: Int
    /// What the simulated store is called by besides this machine's addresses: names or addresses, without ports.
    var simulatorHosts: Set<String>
    /// Where `/metrics` is answered; nil: beside everything else.
    var metricsListen: ListenAddress?
    /// The file that checkpoints of the audit trail are appended to.
    var checkpoints: CheckpointsSetting
    var logLevel: Logger.Level
    /// Accounts that a `testers` sandbox setting admits.
    var testers: Set<AccountID>
    /// Where proxies are whose `X-Forwarded-For` is believed.
    var trustedProxies: [IPRange]
    var limits: RateLimitSizes
    /// How many bytes of receipts are kept.
    var receiptBytes: ReceiptByteBudgets
    var connections: ConnectionLimits
    /// Who sends the bytes of content.
    var delivery: Delivery
    /// Whether large files go to connections without a copy.
    var sendfile: Bool
    /// From how many earlier versions patches are made.
    var patchVersions: Int
    /// Who judges app receipts.
    var appReceipts: AppReceiptJudge
    /// How long a receipt that waits for the store gives access meanwhile, where its own signature is good.
    var provisionalTime: TimeInterval
    /// Files with further root certificates (DER) for signed data and app receipts.
    var roots: [String]
    var verifyReceipt: VerifyReceiptClient.Endpoints
    var serverAPI: AppStoreServerClient.Endpoints
    /// The shared secret of each app that has one.
    var secrets: @Sendable (BundleID) -> String?
    /// The key for the App Store Server API of each app that has one.
    var serverKey: @Sendable (BundleID) throws -> StoreKeys.Setting?
    /// Files (DER) with the certificates of Xcode's StoreKit testing that each app trusts.
    var xcodeCertificates: @Sendable (BundleID) throws -> [String]

    /// What may stand in a configuration file.
    static let names: Set<String> = [
        "host", "port", "tls", "database", "products", "catalog", "content", "simulator", "simulatorPort",
        "simulatorHost", "logLevel",
        "testers", "trustedProxies", "limits", "delivery", "sendfile", "patchVersions", "rootCertificates",
        "appReceipts", "provisionalHours", "verifyReceipt", "serverAPI", "apps", "objectStore", "metricsListen",
        "checkpoints",
    ]

    /// - Throws: ``SettingError`` for the first value that is wrong.
    init(_ sources: SettingSources) throws {
        file = sources.file
        host = try sources.string("host") ?? "127.0.0.1"
        port = try sources.port("port") ?? 8080
        tls = try TLSFiles(sources)
        database = try sources.string("database") ?? "quartermaster.sqlite"
        products = try sources.string("products") ?? "products.json"
        catalog =
            try sources.value("catalog", CatalogLocation.allCases.map(\.rawValue).formatted(.list(type: .or))) {
                $0.string(forKey: $1).flatMap { CatalogLocation(rawValue: $0) }
            } ?? (PostgresLedger.isURL(database) ? .database : .file)
        content = try sources.string("content") ?? "content"
        objectStore = Bucket.isLocation(content) ? try ObjectStoreSettings(content, sources) : nil
        simulator = try sources.bool("simulator") ?? false
        simulatorPort = try sources.port("simulatorPort") ?? 8090
        simulatorHosts =
            try sources.value("simulatorHost", "names of hosts, without ports") { reader, key in
                let names = reader.stringArray(forKey: key) ?? reader.string(forKey: key).map { [$0] }
                return names.flatMap { $0.allSatisfy(\.isHostName) ? Set($0) : nil }
            } ?? []
        metricsListen = try sources.value("metricsListen", "a host and a port, such as 127.0.0.1:9464") {
            $0.string(forKey: $1).flatMap { ListenAddress($0) }
        }
        checkpoints = CheckpointsSetting(chosen: try sources.string("checkpoints"), database: database)
        logLevel =
            try sources.value("logLevel", "trace, debug, info, notice, warning, error or critical") {
                $0.string(forKey: $1).flatMap { Logger.Level(rawValue: $0) }
            } ?? .info
        testers =
            try sources.value("testers", "account IDs") { reader, key in
                guard let texts = reader.stringArray(forKey: key) else { return nil }
                let accounts = texts.compactMap { AccountID(uuidString: $0) }
                return accounts.count == texts.count ? Set(accounts) : nil
            } ?? []
        trustedProxies =
            try sources.value("trustedProxies", "IP ranges such as 10.0.0.0/8 or fd00::/8") { reader, key in
                guard let texts = reader.stringArray(forKey: key) else { return nil }
                let ranges = texts.compactMap { IPRange($0) }
                return ranges.count == texts.count ? ranges : nil
            } ?? []
        limits = try RateLimitSizes(sources)
        receiptBytes = try ReceiptByteBudgets(sources)
        connections = try ConnectionLimits(sources)
        delivery =
            try sources.value("delivery", Delivery.allCases.map(\.rawValue).formatted(.list(type: .or))) {
                $0.string(forKey: $1).flatMap { Delivery(rawValue: $0) }
            } ?? (objectStore == nil ? .local : .redirect)
        sendfile = try sources.bool("sendfile") ?? true
        patchVersions =
            try sources.value("patchVersions", "a number up to \(PatchExtent.maximumVersions)") {
                $0.int(forKey: $1).flatMap { (0...PatchExtent.maximumVersions).contains($0) ? $0 : nil }
            } ?? PatchExtent.standardVersions
        roots = try sources.value("rootCertificates", "file names") { $0.stringArray(forKey: $1) } ?? []
        appReceipts =
            try sources.value("appReceipts", "local or verifyReceipt") {
                $0.string(forKey: $1).flatMap { AppReceiptJudge(rawValue: $0) }
            } ?? .local
        provisionalTime = TimeInterval(try sources.provisionalHours ?? 0) * 3_600
        let apple = VerifyReceiptClient.Endpoints.apple
        verifyReceipt = VerifyReceiptClient.Endpoints(
            production: try sources.url("verifyReceipt.production") ?? apple.production,
            sandbox: try sources.url("verifyReceipt.sandbox") ?? apple.sandbox)
        let store = AppStoreServerClient.Endpoints.apple
        serverAPI = AppStoreServerClient.Endpoints(
            production: try sources.url("serverAPI.production") ?? store.production,
            sandbox: try sources.url("serverAPI.sandbox") ?? store.sandbox)
        secrets = { sources.secret(ConfigKey(["apps", $0, "sharedSecret"])) }
        serverKey = { try sources.serverKey(of: $0) }
        xcodeCertificates = { try sources.xcodeCertificates(of: $0) }
        guard (delivery == .redirect) == (objectStore != nil) else {
            throw SettingError(
                objectStore == nil
                    ? "delivery: redirect needs an object store; the content is a folder"
                    : "delivery: \(delivery.rawValue) needs a content folder; an object store redirects")
        }
        guard tls == nil || !simulator else {
            throw SettingError(
                "tls: the simulated App Store sends its notifications without TLS; leave one of the two off")
        }
        guard PostgresLedger.isURL(database) || !database.contains("://") else {
            throw SettingError("database: should be a SQLite file or the URL of a PostgreSQL database")
        }
    }
}

extension SettingSources {
    /// The store is seldom away longer than a day, and what it has to say by then is more likely no.
    private static let provisionalBounds = 0...24

    fileprivate var provisionalHours: Int? {
        get throws {
            let bounds = Self.provisionalBounds
            return try value("provisionalHours", "whole hours, \(bounds.lowerBound) to \(bounds.upperBound)") {
                $0.int(forKey: $1).flatMap { bounds.contains($0) ? $0 : nil }
            }
        }
    }

    fileprivate func xcodeCertificates(of app: BundleID) throws -> [String] {
        try value(
            "apps.\(app).xcodeCertificates", "file names", at: ConfigKey(["apps", app, "xcodeCertificates"])
        ) { $0.stringArray(forKey: $1) } ?? []
    }

    /// - Throws: ``SettingError`` where only a part of it is given.
    fileprivate func serverKey(of app: BundleID) throws -> StoreKeys.Setting? {
        let names = ["issuerID", "keyID", "privateKeyFile"]
        let values = names.map { secret(ConfigKey(["apps", app, $0])) }
        guard values.contains(where: { $0 != nil }) else { return nil }
        guard let issuer = values[0], let key = values[1], let file = values[2] else {
            throw SettingError(
                "apps.\(app): a key for the App Store Server API needs \(names.joined(separator: ", "))")
        }
        return StoreKeys.Setting(issuerID: issuer, keyID: key, privateKeyFile: file)
    }
}

extension String {
    /// A name or an IP address as it stands in a URL, without a port and without brackets.
    fileprivate var isHostName: Bool {
        IPAddress(self) != nil
            || !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
    }
}

/// Who judges app receipts (PKCS#7).
enum AppReceiptJudge: String, Sendable {
    /// This server, by the store's signature, also while the store is away.
    case local
    /// The store, by its deprecated `verifyReceipt`, which knows what happened after the receipt was made.
    case verifyReceipt
}
