import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import PostgresSupport

@testable import LedgerSQL
@testable import LedgerSQLite

/// The ledgers that tests run against.
enum LedgerKind: CaseIterable, Sendable {
    /// For tests of many rounds: the same statements without a file. No server has such a ledger.
    case sqliteInMemory
    case sqliteInFile
    case postgres

    /// The ledgers that servers have.
    static let allCases: [LedgerKind] = [.sqliteInFile, .postgres]

    /// Opens a new, empty ledger.
    func open() throws -> TestLedger {
        switch self {
        case .sqliteInMemory: TestLedger(try SQLiteLedger.inMemory(handlers: standardHandlers))
        case .sqliteInFile: try LedgerFile().open()
        case .postgres:
            try TestLedger(
                PostgresLedger.open(
                    url: PostgresServer.shared.get().newLedger(), handlers: standardHandlers, limits: .patient))
        }
    }
}

/// The file of one ledger. All are removed when the tests end: a pool opens its file again whenever it needs a reader.
struct LedgerFile: Sendable {
    private static let folder: URL = {
        atexit { try? FileManager.default.removeItem(at: LedgerFile.folder) }
        return FileManager.default.temporaryDirectory.appending(path: "ledgers-\(UUID().uuidString)")
    }()

    let path: String

    init() throws {
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        path = Self.folder.appending(path: "\(UUID().uuidString).sqlite").path(percentEncoded: false)
    }

    /// Opens the file; any number of times, also while it is open.
    func open(handlers: [any ProductHandler.Type] = standardHandlers) throws -> TestLedger {
        TestLedger(try SQLiteLedger.open(path: path, handlers: handlers))
    }
}

/// A ledger, and a look at its rows behind its back.
struct TestLedger: Sendable {
    let ledger: any Ledger
    /// Runs a query; each row has its columns as text, separated by a space, NULL as nothing.
    let rows: @Sendable (String) async throws -> [String]

    init(_ ledger: SQLLedger) {
        self.ledger = ledger
        rows = { query in try await ledger.database.read { try $0.all("\(query)", []).map(\.text) } }
    }

    /// Everything in every table, to see that nothing changed.
    func everything() async throws -> [String] {
        var all: [String] = []
        for table in Self.tables { all += try await rows("SELECT '\(table)', * FROM \(table)").sorted() }
        return all
    }

    static let tables = [
        "accountKeys", "accountNotes", "accounts",
        "adjustments", "adminTokens", "appTransactions", "audit", "auditCheckpoints",
        "auditSeals",
        "balances",
        "catalogRevisions",
        "consumptionRequests", "deliveries", "historyRevisions",
        "joinedLines", "keyValues", "lineMoves", "lines", "manifestDeliveries", "notifications", "offerPeriods",
        "orderTransactions",
        "originalTransactionChecks",
        "postings", "productGrants", "provisionalPurchases",
        "receiptBytes", "receiptHeaders",
        "receiptTransactions", "receipts", "refunds", "renewals", "reportChanges", "reportDays", "reportSums",
        "sessions", "spends", "standings",
        "startingCreditGrants", "startingCredits", "storeTasks", "terms",
        "transactions", "unavailableProducts",
        "unclaimedTransactions", "unfetchedBundles",
    ]
}

extension SQLRow {
    fileprivate var text: String {
        values.map { value in
            switch value {
            case .null: ""
            case .blob(let data): data.map { String($0, radix: 16) }.joined()
            case .integer(let number): String(number)
            case .text(let text): text
            }
        }
        .joined(separator: " ")
    }
}
