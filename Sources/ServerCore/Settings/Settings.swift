import Configuration
import Content
package import Foundation
package import InAppPurchase
package import Ledger
import LedgerPostgres
package import Logging
import ObjectStore
package import ServerHTTP

/// The operator's settings: from flags, then environment variables, then a file, then defaults.
package struct Settings: Sendable {
    /// The configuration file that was read; `nil` if there was none.
    package var file: String?
    package var host: String
    package var port: Int
    /// The certificate and its key; `nil` for HTTP without TLS.
    package var tls: TLSFiles?
    /// An SQLite file, or the URL of a PostgreSQL database, which may contain a password; see ``databaseName``.
    package var database: String
    package var products: String
    /// The place of the catalog.
    package var catalog: CatalogLocation
    /// The path of the content folder, or `s3://` and a bucket.
    package var content: String
    /// Whether the content folder is scanned only if the kernel reports a change.
    var watchContent: Bool
    /// The bucket of the content, and the credentials for it; `nil` if the content is in a folder.
    var objectStore: ObjectStoreSettings?
    package var simulator: Bool
    package var simulatorPort: Int
    /// The names of the simulated App Store besides this machine's addresses: names or addresses, without ports.
    package var simulatorHosts: Set<String>
    /// The separate address of `/metrics`; `nil` if it is on the main address.
    package var metricsListen: ListenAddress?
    /// The addresses of the pages for administrators.
    package var adminPages: AdminPagesSetting
    /// The file that checkpoints of the audit trail are appended to.
    package var checkpoints: CheckpointsSetting
    package var logLevel: Logger.Level
    package var logFormat: LogFormat
    /// Accounts that a `testers` sandbox setting admits.
    package var testers: Set<AccountID>
    /// The addresses of proxies whose `X-Forwarded-For` is trusted.
    package var trustedProxies: [IPRange]
    package var limits: RateLimitSizes
    /// The budgets of stored receipt bytes.
    package var receiptBytes: ReceiptByteBudgets
    package var connections: ConnectionLimits
    /// The way in which the bytes of content are sent.
    package var delivery: ContentSender
    /// Whether large files are sent without a copy.
    package var sendfile: Bool
    /// The number of earlier versions that patches are made from.
    package var patchVersions: Int
    /// The number of days for which a key of manifests signs before the next one does.
    package var manifestKeyDays: Int
    /// In seconds, how long a pending receipt gives provisional access if its own signature is valid.
    package var provisionalTime: TimeInterval
    package var appStore: AppStoreSettings

    /// The App Store is seldom unavailable for longer than a day, and a receipt that is pending for longer is more
    /// likely to be rejected.
    private static let provisionalHours = 0...24

    /// More than ``ManifestKeys/announcement``: the next key is made when its predecessor signs already.
    private static let manifestKeyDaysAllowed = 91...3_650

    /// The defaults of all settings as text, by name: `apps.<bundle ID>.sharedSecret` for that of each app.
    package static let defaults = (try? SettingSources.defaults { _ = try Settings($0) }) ?? [:]

    /// - Throws: ``/ServerHTTP/SettingError`` for the first value that is invalid.
    package init(_ sources: SettingSources) throws {
        file = sources.file
        host = try sources.string("host", or: "127.0.0.1")
        port = try sources.port("port", or: 8080)
        tls = try TLSFiles(sources)
        database = try sources.string("database", or: "quartermaster.sqlite")
        products = try sources.string("products", or: "products.json")
        catalog = try sources.word(
            "catalog", CatalogLocation.allCases.map(\.rawValue).formatted(.list(type: .or)),
            or: PostgresLedger.isURL(database) ? .database : .file)
        content = try sources.string("content", or: "content")
        watchContent = try sources.bool("watchContent", or: true)
        objectStore = try ObjectStoreSettings(content, sources)
        simulator = try sources.bool("simulator", or: false)
        simulatorPort = try sources.port("simulatorPort", or: 8090)
        simulatorHosts =
            try sources.value("simulatorHost", "names of hosts, without ports") { reader, key in
                let names = reader.stringArray(forKey: key) ?? reader.string(forKey: key).map { [$0] }
                return names.flatMap { $0.allSatisfy(\.isHostName) ? Set($0) : nil }
            } ?? []
        metricsListen = try sources.address("metricsListen", such: "127.0.0.1:9464")
        adminPages = try AdminPagesSetting(sources, simulator: simulator)
        checkpoints = CheckpointsSetting(
            chosen: try sources.string("checkpoints", default: "<database>\(CheckpointsSetting.suffix)"),
            database: database)
        logLevel = try sources.word("logLevel", "trace, debug, info, notice, warning, error or critical", or: .info)
        logFormat = try sources.word("logFormat", "text or json", or: .text)
        testers = Set(try sources.list("testers", "account IDs") { AccountID(text: $0) })
        trustedProxies = try sources.list("trustedProxies", "IP ranges such as 10.0.0.0/8 or fd00::/8") { IPRange($0) }
        limits = try RateLimitSizes(sources)
        receiptBytes = try ReceiptByteBudgets(sources)
        connections = try ConnectionLimits(sources)
        delivery = try sources.word(
            "delivery", ContentSender.allCases.map(\.rawValue).formatted(.list(type: .or)),
            or: objectStore == nil ? .local : .redirect)
        sendfile = try sources.bool("sendfile", or: true)
        let versions = PatchExtent.maximumVersions
        patchVersions = try sources.number(
            "patchVersions", "a number up to \(versions)", in: 0...versions, or: PatchExtent.standardVersions)
        let days = Self.manifestKeyDaysAllowed
        manifestKeyDays = try sources.number(
            "manifestKeyDays", "days, \(days.lowerBound) to \(days.upperBound)", in: days, or: 365)
        let hours = Self.provisionalHours
        provisionalTime =
            TimeInterval(
                try sources.number(
                    "provisionalHours", "whole hours, \(hours.lowerBound) to \(hours.upperBound)", in: hours, or: 0))
            * 3_600
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

extension String {
    /// Whether the text is a name or an IP address without a port and without brackets.
    fileprivate var isHostName: Bool {
        IPAddress(self) != nil
            || !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
    }
}
