import ArgumentParser
import Configuration
import Foundation
import InAppPurchase
import LedgerSQL
import Logging
import ServerCore
import ServerHTTP

struct ServeCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Start the server.",
        discussion: "Example: quartermaster serve --database var/ledger.sqlite --simulator")

    @Option(help: "A JSON file with settings (default: quartermaster.json or var/quartermaster.json, if there is one).")
    var config: String?

    @OptionGroup var flags: SettingFlags

    @Option(help: .setting("host", "The address to listen on")) var host: String?

    @Option(help: .setting("port", "The port to listen on")) var port: Int?

    @Option(help: "The TLS certificate chain (PEM).") var tlsCertificate: String?

    @Option(help: "The private key (PEM) of the certificate.") var tlsPrivateKey: String?

    @Option(help: "A separate address for /metrics, host:port (default: the main address).") var metricsListen: String?

    @Flag(inversion: .prefixedNo, help: "Pages for administrators under /admin/ (default: with --simulator only).")
    var adminPages: Bool?

    @Option(help: "A separate address for the pages for administrators, host:port; they are then served only there.")
    var adminListen: String?

    @Option(help: .setting("logFormat", "The form of the log's lines, text or json")) var logFormat: String?

    @Flag(help: "Also serve a simulated App Store, and trust it. For development only.") var simulator = false

    @Option(help: .setting("simulatorPort", "The port of the simulated App Store")) var simulatorPort: Int?

    @Option(help: "A host name of the simulated App Store; repeat for several.") var simulatorHost: [String] = []

    @Flag(help: "Create the ledger if it does not exist, run its migrations, and exit.") var migrateOnly = false

    func run(_ program: any ServerProgram) async throws {
        let more: [String: ConfigContent?] = [
            "host": host.map(ConfigContent.string), "port": port.map(ConfigContent.int),
            "tls.certificate": tlsCertificate.map(ConfigContent.string),
            "tls.privateKey": tlsPrivateKey.map(ConfigContent.string),
            "metricsListen": metricsListen.map(ConfigContent.string),
            "adminPages": adminPages.map(ConfigContent.bool),
            "adminListen": adminListen.map(ConfigContent.string), "logFormat": logFormat.map(ConfigContent.string),
            "simulator": simulator ? .bool(true) : nil, "simulatorPort": simulatorPort.map(ConfigContent.int),
            "simulatorHost": simulatorHost.isEmpty ? nil : .stringArray(simulatorHost),
        ]
        let settings = try await flags.settings(in: config, more)
        let logger = settings.logger
        guard !migrateOnly else {
            _ = try LedgerOpener.open(settings.database, handlers: program.handlers, logger: logger)
            return print("\(settings.databaseName): the ledger is ready")
        }
        try await ListenEndpoint.requireFree(settings.listeningPlaces)
        try settings.requireShop()
        if let file = settings.file { logger.info("settings loaded", metadata: ["file": "\(file)"]) }
        OpenFiles.raiseLimit()
        let metrics = ServerMetrics()
        let ledger = try LedgerOpener.open(
            settings.database, handlers: program.handlers, logger: logger, onCommit: metrics.committed)
        try await program.serve(settings, ledger: ledger, metrics: metrics, logger: logger)
    }
}
