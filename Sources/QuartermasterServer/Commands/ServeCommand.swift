import ArgumentParser
import Configuration
import Foundation
import InAppPurchase
import LedgerPostgres
import LedgerSQL
import LedgerSQLite
import Logging

struct ServeCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves players.",
        discussion: "Example: quartermaster serve --database var/ledger.sqlite --simulator")

    @OptionGroup var options: SettingOptions

    @Option(help: "The address to listen on (default: 127.0.0.1).")
    var host: String?

    @Option(help: "The port to listen on (default: 8080).")
    var port: Int?

    @Option(help: "The TLS certificate chain (PEM).")
    var tlsCertificate: String?

    @Option(help: "The private key (PEM) of the certificate.")
    var tlsPrivateKey: String?

    @Option(help: "A separate address for /metrics, host:port (default: the main address).")
    var metricsListen: String?

    @Flag(help: "Also serve a simulated App Store, and trust it. For development only.")
    var simulator = false

    @Option(help: "The port of the simulated App Store (default: 8090).")
    var simulatorPort: Int?

    @Option(help: "A host name of the simulated App Store; repeat for several.")
    var simulatorHost: [String] = []

    @Flag(help: "Create the ledger if it does not exist, run its migrations, and exit.")
    var migrateOnly = false

    func run(handlers: [any ProductHandler.Type]) async throws {
        let settings = try await options.settings([
            "host": host.map(ConfigContent.string), "port": port.map(ConfigContent.int),
            "tls.certificate": tlsCertificate.map(ConfigContent.string),
            "tls.privateKey": tlsPrivateKey.map(ConfigContent.string),
            "metricsListen": metricsListen.map(ConfigContent.string),
            "simulator": simulator ? .bool(true) : nil, "simulatorPort": simulatorPort.map(ConfigContent.int),
            "simulatorHost": simulatorHost.isEmpty ? nil : .stringArray(simulatorHost),
        ])
        guard !migrateOnly else {
            _ = try LedgerOpener.open(settings.database, handlers: handlers)
            return print("\(settings.databaseName): the ledger is ready")
        }
        let logger = Logger.standardError(settings.logLevel)
        try await ListenEndpoint.requireFree(settings.listeningPlaces)
        if let file = settings.file { logger.info("settings loaded", metadata: ["file": "\(file)"]) }
        OpenFiles.raiseLimit()
        let metrics = ServerMetrics()
        let ledger = try LedgerOpener.open(settings.database, handlers: handlers, onCommit: metrics.committed)
        let assembly = try await Assembly.build(
            settings, handlers: handlers, ledger: ledger, clock: { Date() }, random: systemRandomBytes, logger: logger,
            metrics: metrics)
        try await assembly.run(at: settings.listeningPlaces, logger)
    }
}

/// Opens the ledger that the settings name.
enum LedgerOpener {
    /// - Parameter mayBeNew: whether one is made where there is none, as only `serve` and `simulator` do; elsewhere a
    ///   wrong name would be answered by an empty ledger.
    /// - Throws: ``CommandError`` that names the file.
    static func open(
        _ path: String, handlers: [any ProductHandler.Type], mayBeNew: Bool = true,
        onCommit: @escaping CommitObserver = { _ in }
    ) throws -> any Ledger {
        do {
            if PostgresLedger.isURL(path) {
                return try PostgresLedger.open(url: path, handlers: handlers, mayBeNew: mayBeNew, onCommit: onCommit)
            }
            guard mayBeNew || FileManager.default.fileExists(atPath: path) else {
                throw CommandError("\(whole(path)): there is no ledger")
            }
            // It holds receipts and keys. SQLite would let everybody on the machine read it.
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(
                    atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            }
            return try SQLiteLedger.open(path: path, handlers: handlers, mayBeNew: mayBeNew, onCommit: onCommit)
        } catch let error as LedgerUnavailable {
            throw CommandError("\(name(of: path)): the ledger cannot be opened: \(error.detail)")
        }
    }

    /// The name with its folder: who looks for a ledger in the wrong folder has a right name.
    static func whole(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// What messages call a ledger. The URL of a database may hold a password.
    static func name(of path: String) -> String { PostgresLedger.isURL(path) ? "PostgreSQL" : path }
}

extension Logger {
    /// Logs to standard error, one line each.
    static func standardError(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "quartermaster") { EscapingLogHandler(StreamLogHandler.standardError(label: $0)) }
        logger.logLevel = level
        return logger
    }
}
