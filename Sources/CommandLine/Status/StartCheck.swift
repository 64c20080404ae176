import Foundation
import Ledger
import Logging
import ServerCore
import ServerHTTP

/// The answer to whether a server would start now, with the settings of the command and as the user of this process.
struct StartCheck: Sendable {
    /// The user as whom everything was read.
    var user: String
    /// The error with which `serve` would end; `nil` if it would serve.
    var error: String?

    /// Reads what a start reads, in its order, and writes nothing. The addresses to listen on are not tried: a running
    /// server has them.
    static func checking(
        _ options: SettingOptions, _ ledger: any Ledger, _ program: any ServerProgram
    ) async -> StartCheck {
        let user = LocalUser.current.name
        do {
            let settings = try await options.settings()
            try await CommandError.naming(settings.databaseName) { try await check(settings, ledger, program) }
            return StartCheck(user: user, error: nil)
        } catch { return StartCheck(user: user, error: "\(error)") }
    }

    private static func check(_ settings: Settings, _ ledger: any Ledger, _ program: any ServerProgram) async throws {
        var settings = settings
        // A start takes the file as the first revision.
        if settings.catalog == .database, try await ledger.newestCatalogRevision(after: 0) == nil {
            settings.catalog = .file
        }
        if let tls = settings.tls { _ = try tls.identity(tls.read()) }
        try settings.checkpoints.check()
        try await program.withStore(
            settings, ledger: ledger, needsCatalog: true, logger: .standardError(.critical)
        ) { _, _ in }
    }
}

extension Settings {
    /// Makes root's command run as the server's user, whom the ledger belongs to, or without a file of its own the
    /// content folder.
    func becomeServersUser() {
        let place = [database, content].first { FileManager.default.fileExists(atPath: $0) }
        if let place { LocalUser.becomeOwner(of: place) }
    }
}
