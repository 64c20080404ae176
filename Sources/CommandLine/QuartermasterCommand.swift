import ArgumentParser
import ServerCore
import ServerHTTP

package struct QuartermasterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quartermaster",
        abstract: "A server that verifies App Store purchases and delivers what was bought.",
        discussion: """
            Settings come from flags, then from QUARTERMASTER_… environment variables, then from a JSON file: the one \
            that --config or QUARTERMASTER_CONFIG names, else quartermaster.json or var/quartermaster.json in the \
            current folder, else /etc/quartermaster/settings.json.
            --generate-completion-script prints the completion for bash, zsh or fish.
            Exit status: 0 done, 1 failed, 64 wrong usage.
            """,
        version: "0.1.0",
        subcommands: [
            InitCommand.self, ServeCommand.self, SimulatorCommand.self, StatusCommand.self,
            AppsCommand.self, ProductsCommand.self, CatalogCommand.self, BundlesCommand.self,
            AccountsCommand.self, SupportCommand.self, AdminTokenCommand.self, AuditCommand.self, KeysCommand.self,
            LedgerCommand.self,
            NotificationsCommand.self, DeliveriesCommand.self, ReceiptsCommand.self, ReportCommand.self,
        ])
}
