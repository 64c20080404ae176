import LedgerPostgres
import Synchronization

/// A database whose tables are made once, because copying it is faster.
final class LedgerTemplate: Sendable {
    private let made = Mutex<String?>(nil)

    func name(on server: PostgresServer) throws -> String {
        try made.withLock { made in
            if let made { return made }
            let name = try server.newDatabase()
            _ = try PostgresLedger.open(url: server.url(name), handlers: [], limits: .patient)
            made = name
            return name
        }
    }
}
