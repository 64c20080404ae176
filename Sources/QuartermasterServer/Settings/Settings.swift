import Configuration
import Content
import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import Logging
import ObjectStore

/// The operator's settings: from flags, then environment variables, then a file, then defaults.
struct Settings: Sendable {
    /// The configuration file that was read; `nil` if there was none.
    var file: String?
    var host: String
    var port: Int
    /// The certificate and its key; `nil` for HTTP without TLS.
    var tls: TLSFiles?
    /// An SQLite file, or the URL of a PostgreSQL database, which may contain a password; see ``databaseName``.
    var database: String
    var products: String
    /// The place of the catalog.
    var catalog: CatalogLocation
    /// The path of the content folder, or `s3://` and a bucket.
    var content: String
    /// Whether the content folder is scanned only if the kernel reports a change.
    var watchContent: Bool
    /// The bucket of the content, and the credentials for it; `nil` if the content is in a folder.
    var objectStore: ObjectStoreSettings?
    var simulator: Bool
    var simulatorPort: Int
    /// The names of the simulated App Store besides this machine's addresses: names or addresses, without ports.
    var simulatorHosts: Set<String>
    /// The separate address of `/metrics`; `nil` if it is on the main address.
    var metricsListen: ListenAddress?
    /// The addresses of the pages for administrators.
    var adminPages: AdminPagesSetting
    /// The file that checkpoints of the audit trail are appended to.
    var checkpoints: CheckpointsSetting
    var logLevel: Logger.Level
    /// Accounts that a `testers` sandbox setting admits.
    var testers: Set<AccountID>
    /// The addresses of proxies whose `X-Forwarded-For` is trusted.
    var trustedProxies: [IPRange]
    var limits: RateLimitSizes
    /// The budgets of stored receipt bytes.
    var receiptBytes: ReceiptByteBudgets
    var connections: ConnectionLimits
    /// The way in which the bytes of content are sent.
    var delivery: ContentSender
    /// Whether large files are sent without a copy.
    var sendfile: Bool
    /// The number of earlier versions that patches are made from.
    var patchVersions: Int
    /// In seconds, how long a pending receipt gives provisional access if its own signature is valid.
    var provisionalTime: TimeInterval
    var appStore: AppStoreSettings

    /// The names that a configuration file may have.
    static let names: Set<String> = AppStoreSettings.names.union([
        "host", "port", "tls", "database", "products", "catalog", "content", "simulator", "simulatorPort",
        "simulatorHost", "logLevel",
        "testers", "trustedProxies", "limits", "delivery", "sendfile", "patchVersions", "watchContent",
        "provisionalHours", "apps", "objectStore", "metricsListen",
        "adminPages", "adminListen",
        "checkpoints",
    ])

    /// The names in objects of a configuration file.
    static let nestedNames: [String: Set<String>] = AppStoreSettings.nestedNames.merging([
        "tls": TLSFiles.settingNames, "objectStore": ObjectStoreSettings.names,
        "limits": RateLimit.settingNames.union(ConnectionLimits.settingNames).union(ReceiptByteBudgets.settingNames),
    ]) { $0.union($1) }
    /// The names under `apps.<bundle ID>`.
    static let appNames = AppStoreSettings.appNames
    /// The names under `apps.<bundle ID>` whose values are strings.
    static let appTextNames = AppStoreSettings.appTextNames

    /// - Throws: ``SettingError`` for the first value that is invalid.
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
        watchContent = try sources.bool("watchContent") ?? true
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
        adminPages = try AdminPagesSetting(sources, simulator: simulator)
        checkpoints = CheckpointsSetting(chosen: try sources.string("checkpoints"), database: database)
        logLevel =
            try sources.value("logLevel", "trace, debug, info, notice, warning, error or critical") {
                $0.string(forKey: $1).flatMap { Logger.Level(rawValue: $0) }
            } ?? .info
        testers =
            try sources.value("testers", "account IDs") { reader, key in
                guard let texts = reader.stringArray(forKey: key) else { return nil }
                let accounts = texts.compactMap { AccountID(text: $0) }
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
            try sources.value("delivery", ContentSender.allCases.map(\.rawValue).formatted(.list(type: .or))) {
                $0.string(forKey: $1).flatMap { ContentSender(rawValue: $0) }
            } ?? (objectStore == nil ? .local : .redirect)
        sendfile = try sources.bool("sendfile") ?? true
        patchVersions =
            try sources.value("patchVersions", "a number up to \(PatchExtent.maximumVersions)") {
                $0.int(forKey: $1).flatMap { (0...PatchExtent.maximumVersions).contains($0) ? $0 : nil }
            } ?? PatchExtent.standardVersions
        provisionalTime = TimeInterval(try sources.provisionalHours ?? 0) * 3_600
        appStore = try AppStoreSettings(sources)
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
    /// In hours. The App Store is seldom unavailable for longer than a day, and a receipt that is pending for longer is
    /// more likely to be rejected.
    private static let provisionalBounds = 0...24

    fileprivate var provisionalHours: Int? {
        get throws {
            let bounds = Self.provisionalBounds
            return try value("provisionalHours", "whole hours, \(bounds.lowerBound) to \(bounds.upperBound)") {
                $0.int(forKey: $1).flatMap { bounds.contains($0) ? $0 : nil }
            }
        }
    }
}

extension String {
    /// Whether the text is a name or an IP address without a port and without brackets.
    fileprivate var isHostName: Bool {
        IPAddress(self) != nil
            || !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
    }
}
