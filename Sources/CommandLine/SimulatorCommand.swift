import AppStoreSimulator
import ArgumentParser
import Configuration
import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import Logging
import ServerCore
import ServiceLifecycle
import StrictJSON

struct SimulatorCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulator", abstract: "Serve only the simulated App Store. For development only.",
        discussion: "Example: quartermaster simulator --database var/store.sqlite --simulator-port 8090")

    @OptionGroup var options: SettingOptions

    @Option(help: "The address to listen on (default: 127.0.0.1).") var host: String?

    @Option(help: "The port to listen on (default: 8090).") var simulatorPort: Int?

    @Option(help: "A host name that clients use; repeat for several.") var simulatorHost: [String] = []

    func run(_ program: any ServerProgram) async throws {
        let settings = try await options.settings([
            "host": host.map(ConfigContent.string), "simulatorPort": simulatorPort.map(ConfigContent.int),
            "simulatorHost": simulatorHost.isEmpty ? nil : .stringArray(simulatorHost),
        ])
        let endpoint = ListenEndpoint(host: settings.host, port: settings.simulatorPort)
        try await ListenEndpoint.requireFree([endpoint])
        let logger = settings.logger
        let ledger = try LedgerOpener.open(settings.database, handlers: program.handlers)
        try await SimulatorMark.check(ledger, isSimulator: true)
        // The simulated App Store takes the Apple IDs of its apps from the catalog; without one it sends none.
        let catalog = (try? CatalogFile.read(settings.products))
            .flatMap { try? CatalogFile.decode($0, handlers: program.handlers) }
        let simulator = try await AppStoreSimulator.open(
            ledger, appAppleID: { catalog?.app($0)?.appAppleID }, clock: { Date() })
        let application = simulator.buildApplication(
            host: settings.host, port: settings.simulatorPort, names: settings.simulatorHosts, logger: logger,
            onServerRunning: { announce("The simulated App Store", at: settings.host, $0) })
        try await ServiceGroup.run([application], at: [endpoint], logger)
    }
}
