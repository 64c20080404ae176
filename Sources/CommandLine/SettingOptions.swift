import ArgumentParser
import Configuration
import Foundation
import InAppPurchase
import Ledger
import ServerCore

/// The settings of a command that works on the shop of a server. Its help has one line about them: that of `serve` has
/// them all.
struct SettingOptions: ParsableArguments {
    @Option(help: "A settings file; --database and others: serve --help.") var config: String?
    @Option(help: "The https address of a server to ask instead; its token: \(RemoteServer.tokenVariable).")
    var server: String?
    @OptionGroup(visibility: .hidden) var flags: SettingFlags

    /// - Parameter more: as in ``SettingFlags/settings(in:_:)``.
    /// - Throws: ``/ServerHTTP/SettingError``, and ``/ServerCore/CommandError`` if a distant server is named.
    func settings(_ more: [String: ConfigContent?] = [:]) async throws -> Settings {
        guard server == nil else {
            throw CommandError(
                """
                --server: this command works on the ledger, the catalog or the content itself, and the admin API has \
                nothing like it; run it on the server's machine
                """)
        }
        return try await flags.settings(in: config, more)
    }
}

/// The options for settings that several commands share.
struct SettingFlags: ParsableArguments {
    @Option(help: .setting("products", "The catalog")) var products: String?

    @Option(help: .setting("content", "The content folder, or s3://bucket/prefix"))
    var content: String?

    @Option(help: .setting("database", "The ledger: an SQLite file or a PostgreSQL URL"))
    var database: String?

    /// - Parameters:
    ///   - config: the file; `nil` for the usual one.
    ///   - more: the command's own options, by name of the setting.
    /// - Throws: ``/ServerHTTP/SettingError``
    func settings(in config: String?, _ more: [String: ConfigContent?] = [:]) async throws -> Settings {
        let environment = ProcessInfo.processInfo.environment
        var flags = more.compactMapValues { $0 }
        flags["products"] = products.map(ConfigContent.string)
        flags["content"] = content.map(ConfigContent.string)
        flags["database"] = database.map(ConfigContent.string)
        let file = SettingSources.file(named: config, environment)
        return try Settings(await SettingSources(flags: flags, environment: environment, file: file))
    }
}

extension SettingOptions {
    /// Calls `body` with the existing ledger that the settings name.
    ///
    /// - Throws: as ``/ServerCore/CommandError/naming(_:_:)``, and ``/ServerCore/CommandError`` that names the file.
    func withLedger<Result>(
        _ handlers: [any ProductHandler.Type], _ body: (any Ledger, Settings) async throws -> Result
    ) async throws -> Result {
        let settings = try await settings()
        let ledger = try LedgerOpener.openExisting(settings.database, handlers: handlers)
        return try await CommandError.naming(settings.databaseName) { try await body(ledger, settings) }
    }
}

extension ArgumentHelp {
    /// The help of an option that is a setting, with the setting's default.
    static func setting(_ name: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp("\(text) (default: \(Settings.defaults[name] ?? "none")).")
    }
}
