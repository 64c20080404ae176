import AppStore
import Configuration
import Content
import Foundation
import InAppPurchase
import Ledger
import Logging
import NIOCore
import Testing

@testable import QuartermasterServer

/// The tables in docs/operate/settings.md and docs/operate/limits.md have the settings that the server reads, with
/// their names and defaults.
@Suite struct SettingsPageTests {
    private static let bundleID = "com.example.hangman"

    /// A row for each setting; the one for the configuration file itself has no name.
    private static func rows() throws -> [[String: String]] {
        try ["docs/operate/settings.md", "docs/operate/limits.md"].flatMap { try DocumentedTable.all(in: $0) }
            .filter { $0.columns.contains("setting") }.flatMap(\.rows)
    }

    @Test func `Every setting is on the settings page`() throws {
        let documented = try Self.rows().compactMap { $0["setting"] }.filter { !$0.isEmpty }
        #expect(documented.count == Set(documented).count)
        #expect(Set(documented).symmetricDifference(Self.names) == [])
    }

    /// Settings that are objects are listed with each of their members.
    private static var names: Set<String> {
        let apps = Set(Settings.appNames.map { "<bundle ID>.\($0)" })
        let objects = Settings.nestedNames.merging(["apps": apps]) { first, _ in first }
        let members = objects.flatMap { object, members in members.map { "\(object).\($0)" } }
        return Settings.names.subtracting(objects.keys).union(members)
    }

    @Test func `The defaults on the settings page are those of the server`() async throws {
        let settings = try Settings(await SettingSources(flags: [:], environment: [:], file: nil))
        let defaults = Self.defaults(settings).merging(Self.limits(settings)) { first, _ in first }
        #expect(Set(defaults.keys).symmetricDifference(Self.names) == [])
        for row in try Self.rows() {
            guard let setting = row["setting"], !setting.isEmpty else { continue }
            #expect(row["default"] == defaults[setting], "\(setting)")
        }
    }

    private static func defaults(_ settings: Settings) -> [String: String] {
        var defaults = [
            "host": settings.host, "port": "\(settings.port)",
            "tls.certificate": settings.tls?.certificate ?? "none",
            "tls.privateKey": settings.tls?.privateKey ?? "none",
            "database": settings.database, "products": settings.products, "catalog": settings.catalog.rawValue,
            "content": settings.content, "watchContent": "\(settings.watchContent)",
            "objectStore.endpoint": "AWS's of the region",
            "objectStore.region": "AWS_REGION, or \(ObjectStoreSettings.standardRegion)",
            "objectStore.pathStyle": "true, for AWS false", "objectStore.credentials": "none",
            "simulator": "\(settings.simulator)", "simulatorPort": "\(settings.simulatorPort)",
            "simulatorHost": list(settings.simulatorHosts.sorted()),
            "metricsListen": settings.metricsListen.map { "\($0)" } ?? "none",
            "adminPages": "\(settings.adminPages.isOnMain)",
            "adminListen": settings.adminPages.address.map { "\($0)" } ?? "none",
            "checkpoints": settings.checkpoints.path.replacing(settings.database, with: "<database>"),
            "logLevel": settings.logLevel.rawValue, "testers": list(settings.testers.map { "\($0)" }),
            "trustedProxies": list(settings.trustedProxies.map { "\($0)" }),
            "delivery": settings.delivery.rawValue, "sendfile": "\(settings.sendfile)",
            "patchVersions": "\(settings.patchVersions)", "rootCertificates": list(settings.appStore.roots),
            "appReceipts": settings.appStore.appReceipts.rawValue,
            "provisionalHours": "\(Int(settings.provisionalTime / 3_600))",
            "verifyReceipt.production": settings.appStore.verifyReceipt.production,
            "verifyReceipt.sandbox": settings.appStore.verifyReceipt.sandbox,
            "serverAPI.production": settings.appStore.serverAPI.production,
            "serverAPI.sandbox": settings.appStore.serverAPI.sandbox,
        ]
        for name in Settings.appNames { defaults["apps.<bundle ID>.\(name)"] = "none" }
        return defaults
    }

    private static func limits(_ settings: Settings) -> [String: String] {
        var limits: [String: String] = [:]
        for limit in RateLimit.allCases {
            limits["limits.\(limit.rawValue)PerMinute"] = settings.limits[limit].map { "\($0.perMinute)" } ?? "off"
            limits["limits.\(limit.rawValue.dropLast())Burst"] = settings.limits[limit].map { "\($0.burst)" } ?? "off"
        }
        let budgets = settings.receiptBytes
        for (kind, budget) in [
            ("pending", budgets.pending), ("rejected", budgets.rejected), ("verified", budgets.verified),
        ] {
            limits["limits.\(kind)KilobytesPerAccount"] = "\(budget.account >> 10)"
            limits["limits.\(kind)KilobytesPerAddress"] = "\(budget.address >> 10)"
        }
        let connections = settings.connections
        for (name, time) in [
            ("header", connections.header), ("idle", connections.idle), ("body", connections.body),
            ("total", connections.total),
        ] { limits["limits.\(name)Seconds"] = "\(time.nanoseconds / 1_000_000_000)" }
        limits["limits.downloadBytesPerSecond"] = "\(connections.slowestDownload)"
        limits["limits.connectionsPerAddress"] = "\(connections.perAddress)"
        return limits
    }

    private static func list(_ values: [String]) -> String { values.isEmpty ? "none" : values.joined(separator: ",") }

    /// A value in the page's variable is found under the page's name.
    @Test func `Every variable on the settings page is that of its setting`() async throws {
        for row in try Self.rows() {
            guard let setting = row["setting"], !setting.isEmpty else { continue }
            let variable = try #require(row["environment"]).replacing("…", with: "COM_EXAMPLE_HANGMAN")
            let sources = try await SettingSources(flags: [:], environment: [variable: "1"], file: nil)
            let key =
                setting.hasPrefix("apps.")
                ? ConfigKey(["apps", Self.bundleID, String(setting.split(separator: ".").last ?? "")])
                : ConfigKey(setting)
            #expect(throws: SettingError.self, "\(setting): \(variable)") {
                try sources.value(setting, "anything else", at: key) { _, _ in nil as Int? }
            }
        }
    }

    @Test(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
    func `The flags on the settings page are those of the serve command`() async throws {
        let help = try await Program.run("serve", "--help").output
        let flags = Set(help.matches(of: /\n  (--[a-z-]+)/).map { String($0.output.1) })
        let documented = try Self.rows().compactMap { $0["flag"] }.filter { !$0.isEmpty }
        // Neither is a setting.
        #expect(Set(documented).symmetricDifference(flags) == ["--migrate-only", "--version"])
        for row in try Self.rows() {
            guard let flag = row["flag"], !flag.isEmpty, let setting = row["setting"], !setting.isEmpty else {
                continue
            }
            let name = setting.replacing(/[A-Z]/) { "-" + $0.output.lowercased() }.replacing(".", with: "-")
            #expect(flag == "--" + name)
        }
    }
}
