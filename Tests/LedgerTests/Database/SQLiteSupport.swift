import Basics
import Foundation
import GRDB
import InAppPurchase
import Ledger
import StrictJSON
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

extension SQLLedger {
    /// SQLite behind the ledger.
    var writer: any DatabaseWriter { get throws { try #require(database as? SQLiteDatabase).writer } }

    /// A new, empty ledger.
    static func make(inFile: Bool) throws -> SQLLedger {
        guard inFile else { return try SQLiteLedger.inMemory(handlers: standardHandlers) }
        return try SQLiteLedger.open(path: try LedgerFile().path, handlers: standardHandlers)
    }

    /// Runs a statement on the ledger's own connection.
    func execute(_ sql: String) async throws { try await writer.writeWithoutTransaction { try $0.execute(sql: sql) } }

    /// The single value that a statement gives on the ledger's own connection.
    func value(_ sql: String) async throws -> String? {
        try await writer.writeWithoutTransaction { try String.fetchOne($0, sql: sql) }
    }
}

extension TestLedger {
    /// One period under two original IDs.
    private func joinOriginals() async throws {
        try await join(27)
        for id in ["20", "21"] as [TransactionID] {
            var period = bought("lapsed", id, until: day(120))
            period.details = PurchaseDetails()
            period.details?.webOrderLineItemID = "20"
            try await record(receipt("joined \(id)", by: 27), period)
        }
    }

    /// Lets everything happen that a ledger records, so that every table has rows and every statement ran.
    func liveThroughEverything() async throws {
        try await join(1, 2)
        try await createWithKeys()
        _ = try await ledger.openSession(recoveryCode: Data([1]), token: Data([11]), at: today)
        try await ledger.closeSession(token: Data([11]), at: today)
        try await ledger.set(["key/1": Data([1])])
        try await ledger.recordUnreadable(
            .whole(digest: Data([1]), length: 9), id: "r_0", reason: "malformed", from: account(1), at: today)
        _ = try await ledger.enqueue(receipt("kept"), retryAt: today, at: today)
        for queue in ReceiptQueue.allCases {
            _ = try await ledger.dueReceipts(in: queue, limit: 1, lease: today, at: today)
        }
        try await ledger.postpone(receipt("kept"), attempts: Attempts(count: 1), until: day(300), at: today)
        try await openProvisionally(receipt("kept"), bought("starter", "12"))
        let key = OriginalTransaction.Key(app: "hangman", environment: .production, originalID: "5")
        try await record(
            receipt("a"), bought("hints", "1"), bought("starter", "2"), bought("gone", "3"), bought("night", "4"),
            bought("club.month", "5", until: day(120)),
            renewals: [key: RenewalFacts(willAutoRenew: true, signedDate: day(91))])
        try await record(receipt("h.e30.\(SignedText.signature)", id: "r_packed"), bought("words", "9"))
        try await record(receipt("b", by: 2), bought("starter", "6", original: "2", token: 2))
        try await record(receipt("b"), bought("words", "8"))
        try await record(receipt("e", by: 2), bought("words", "8", signed: day(92)))
        try await record(receipt("c"), bought("hints", "1", revoked: day(94), signed: day(95)), bought("hints", "7"))
        try await joinOriginals()
        try await reject(receipt("d"), .signature)
        try await show(receipt("f", by: 2), appTransaction("700"))
        try await show(receipt("customer"), appTransaction("701"))
        try await ledger.recordUnavailable(["hints"], of: "hangman", from: Data([1]), at: today)
        try await askAboutAppReceipts()
        _ = try await presentAgain("a", by: 1)
        _ = try await spend(4, key: "k")
        _ = try await adjust(5)
        try await supportAnotherAccount()
        let mended = shop.replacing(#"{"id": "hints""#, with: #"{"id": "gone", "type": "consumable"}, {"id": "hints""#)
        _ = try await ledger.bindTerms(in: RecordingContext(catalog: try catalog(mended), date: today))
        _ = try await ledger.pendingReceipts()
        _ = try await ledger.activity(since: day(0), until: day(400))
        _ = try await ledger.missingProducts()
        _ = try await ledger.hasPurchases(of: "nothing")
        _ = try await ledger.sealRows(atMost: 1_000, at: day(0)) { row, last in
            Seal(position: (last?.position ?? 0) + 1, sequence: row.sequence, hash: row.contentHash)
        }
        _ = try await ledger.addCheckpoint { seal, _ in
            Checkpoint(position: seal.position, hash: seal.hash, date: today, key: "k", signature: Data([1]))
        }
        _ = try await ledger.foldReportDays(at: today)
        try await hearFromTheStore()
        try await handOutAndConfirm()
        try await listReceipts()
        try await listTheRest()
        try await changeTheCatalog()
        try await startWithCredits()
        try await report()
        try await lookBack()
        _ = try await read()
        _ = try await ledger.adminToken(named: "alice")
        for account in [nil, account(1)] {
            for sequence in [nil, 7] {
                _ = try await ledger.newestAuditRows(of: account, before: sequence, limit: 3)
                let filter = AuditFilter(kind: "receipt.recorded", account: account)
                _ = try await ledger.newestAuditRows(matching: filter, before: sequence, limit: 3)
                _ = try await ledger.auditRows(matching: filter, after: sequence ?? 0, limit: 3)
            }
        }
    }

    /// An account whose creation is repeated, and one that finds the key of the first one outdated.
    private func createWithKeys() async throws {
        try await create(16, key: 16, on: day(0))
        try await create(17, key: 16, on: day(0))
        try await create(18, key: 18, on: today)
    }

    /// For a receipt that the App Store answers about, and for one that it cannot answer about now.
    private func askAboutAppReceipts() async throws {
        let verified = VerifiedReceipt(transactions: [
            bought("words", "15", isSigned: false), bought("club.month", "16", until: day(93), isSigned: false),
        ])
        for name in ["old", "away"] {
            let old = receipt(name, kind: .appReceipt)
            _ = try await ledger.question(on: old, verified, in: try context())
            _ = try await ledger.enqueue(old, retryAt: today, at: today)
            _ = try await ledger.deliverMeanwhile(
                old, verified, attempts: Attempts(count: 1), until: day(300), in: try context())
            guard name == "old" else { continue }
            try await ledger.recordAnswer(verified, to: old, verified, in: try context())
            _ = try await ledger.record(old, .success(verified), in: try context())
        }
    }

    /// An account that is made after the setting was changed.
    private func startWithCredits() async throws {
        let context = RecordingContext(catalog: try StartingCreditsTests.catalog(20), date: day(50))
        try await ledger.recordStartingCredits(in: context)
        try await ledger.createAccount(account(5), token: Data([5]), recoveryCode: Data([5]), at: day(60))
        let scope = Scope(app: "hangman", environment: .production)
        try await ledger.giveStartingCredits(to: account(5), in: scope, context)
    }

    /// The player's history, the backfill of old receipts, and what earlier versions left.
    private func lookBack() async throws {
        while try await ledger.countMisplacedPurchases(inNext: 2) {}
        _ = try await (ledger.misplacedPurchaseCount(), ledger.doubledPeriods(limit: 9))
        let scope = Scope(app: "hangman", environment: .production)
        let position = PurchasePosition(date: today, transaction: "9")
        _ = try await ledger.purchases(of: account(1), in: scope, after: position, limit: 2)
        _ = try await ledger.postings(of: account(1), in: scope, currency: "hints", after: 9, limit: 2)
        while case let position = try await ledger.backfillPosition(), position.phase != .done {
            let page = try await ledger.backfillPage(after: position)
            _ = try await ledger.fill(
                [VerifiedReceipt(transactions: [bought("hints", "1")])], from: position, to: page.next,
                in: try context())
        }
    }

    private func report() async throws {
        for kind in ReportKind.allCases {
            for app in [nil, BundleID("hangman")] {
                let query = try #require(ReportQuery(kind, by: .day, from: day(0), to: day(200), app: app))
                _ = try await ledger.report(query, at: today)
                _ = try await ledger.wholeReport(query, at: today)
                let days = ReportDay(of: day(71))...ReportDay(of: today)
                _ = try await ledger.activityReport(of: days, in: .production, app: app, at: today)
            }
        }
    }

    private func changeTheCatalog() async throws {
        let entry = AuditEntry(.catalogReplaced, at: today)
        for number in [0, 1] { _ = try await ledger.addCatalogRevision(Data([1]), after: number, entry) }
        _ = try await (
            ledger.newestCatalogRevision(after: 0), ledger.catalogRevision(1),
            ledger.catalogHistory(before: nil, limit: 9)
        )
    }

    private func handOutAndConfirm() async throws {
        let id = try await issueManifest("hard-words", on: day(99))
        _ = try await issueManifest("hard-words", on: today)
        _ = try await ledger.confirmDelivery(id, sha256: "1.0.0", by: account(1), at: today)
        _ = try await ledger.confirmDelivery(id, sha256: "2.0.0", by: account(1), at: today)
        try await listDeliveries()
    }

    /// The other lists of the pages.
    private func listTheRest() async throws {
        for position in [nil, ListedNotification.Position(date: day(1), id: "n")] {
            for app in [nil, BundleID("hangman")] {
                _ = try await ledger.notifications(of: app, after: position, limit: 9)
                _ = try await ledger.lastDelivery(of: app, before: day(1))
            }
        }
        for app in [nil, BundleID("hangman")] { _ = try await ledger.unavailableProducts(of: app) }
        for position in [nil, TesterPosition(date: day(1), account: account(1))] {
            _ = try await ledger.testers(after: position, limit: 9)
        }
        _ = try await (ledger.adminTokens(), ledger.catalogHistory(before: 7, limit: 9))
        _ = try await ledger.newestTransaction(
            of: OriginalTransaction.Key(app: "hangman", environment: .production, originalID: "1"))
        for account in [nil, account(1)] { _ = try await ledger.newestAccounts(after: account, limit: 9) }
        if let prefix = AccountPrefix(account(1).text) { _ = try await ledger.accounts(beginning: prefix, limit: 9) }
    }

    /// With every filter, in both orders, from the beginning and from another place.
    private func listReceipts() async throws {
        let queries = [
            ReceiptListQuery(.pending, limit: 9), ReceiptListQuery(.pending, app: "hangman", limit: 9),
            ReceiptListQuery(.rejected, limit: 9), ReceiptListQuery(.rejected, app: "hangman", limit: 9),
            ReceiptListQuery(.rejected, reason: .signature, limit: 9),
            ReceiptListQuery(.rejected, app: "hangman", reason: .signature, limit: 9),
        ]
        for query in queries {
            for (isNewestFirst, after) in [(false, nil), (true, nil), (false, "r_kept_1"), (true, "r_kept_1")] {
                var query = query
                (query.isNewestFirst, query.after) = (isNewestFirst, after)
                _ = try await ledger.receipts(query)
            }
        }
    }

    /// With every filter, from the beginning and from another place.
    private func listDeliveries() async throws {
        let filters = [
            DeliveryFilter(until: today), DeliveryFilter(until: today, app: "hangman"),
            DeliveryFilter(until: today, bundle: "hard-words"), DeliveryFilter(until: today, account: account(1)),
            DeliveryFilter(until: today, app: "hangman", bundle: "hard-words", account: account(1)),
        ]
        for filter in filters {
            for position in [nil, DeliveryPosition(date: day(1), id: "d")] {
                for unconfirmed in [true, false] {
                    _ = try await ledger.manifestDeliveries(unconfirmed: unconfirmed, filter, after: position, limit: 9)
                }
            }
            for position in [nil, UnfetchedPosition(date: day(1), account: account(1), bundle: "b")] {
                _ = try await ledger.purchasesNeverFetched(filter, after: position, limit: 9)
            }
        }
    }

    private func hearFromTheStore() async throws {
        try await receive(notification("n1", bought("words", "10")))
        try await receive(notification("n2", bought("starter", "11", token: 2)))
        _ = try await ledger.enqueue(notification("n3"), retryAt: day(200), at: today)
        var asks = notification("n4", bought("hints", "7"))
        asks.type = AppStoreNotification.consumptionRequest
        try await receive(asks)
        try await ledger.setConsumptionConsent(true, of: account(1), at: today)
        _ = try await ledger.observe(
            VerifiedReceipt(transactions: [bought("words", "8", order: "MK1"), bought("hints", "21", order: "MK1")]),
            cause: "order MK1", in: context())
        var trial = bought("club.month", "23", until: today)
        trial.details = PurchaseDetails()
        trial.details?.isTrialPeriod = true
        trial.details?.appTransactionID = "701"
        try await receive(notification("n6", trial))
        for name in [PurchaseName.order("MK1"), .transaction("21"), .originalTransaction("21")] {
            _ = try await ledger.purchases(named: name)
        }
        if let product = try catalog().product("club.month", of: "hangman") {
            _ = try await ledger.offerEligibility(
                of: account(1), for: product, in: Scope(app: "hangman", environment: .production), context())
        }
        let tasks = try await ledger.dueStoreTasks(limit: 99, lease: day(200), at: today)
        for task in tasks { try await ledger.postpone(task, attempts: Attempts(count: 1), until: day(300)) }
        for task in tasks.dropFirst() { try await ledger.complete(task, .done, at: today) }
    }

    /// Every act of an administrator, on accounts to which nothing else happens.
    private func supportAnotherAccount() async throws {
        try await join(3, 4)
        try await receive(notification("n0", bought("hints", "13", token: 4)))
        try await record(receipt("h", by: 3, isForDevice: true), bought("hints", "13", token: 4, signed: today))
        try await record(receipt("f", by: 3), bought("night", "9"))
        try await move("9", to: 4)
        try await receive(notification("n5", bought("hints", "22")))
        try await move("22", to: 4)
        try await record(receipt("g", by: 3), bought("hints", "9", app: "chess", .sandbox))
        _ = try await ledger.addTester(account(3), try act())
        _ = try await ledger.addToBeta(account(3), try act())
        _ = try await ledger.isBeta(account(3))
        try await ledger.removeFromBeta(account(3), try act())
        _ = try await ledger.resetSandbox(of: account(3), app: nil, try act(), in: try context())
        try await ledger.removeTester(account(3), try act())
        for note in ["n_1", "n_2"] { _ = try await ledger.addNote(note, to: account(3), try act(note)) }
        try await ledger.removeNote("n_1", of: account(3), try act())
        if let id = ExternalID("4711") {
            try await ledger.setExternalID(id, of: account(3), try act())
            _ = try await ledger.account(withExternalID: id)
        }
        _ = try await give("words", to: 3, id: "g_1", key: "a")
        _ = try await give("club.year", to: 3, id: "g_2", until: day(200), key: "b")
        _ = try await ledger.preview(.revokeGrant("g_2", of: account(3)), try act(), in: try context())
        _ = try await ledger.revokeGrant("g_1", of: account(3), try act(), in: try context())
        _ = try await ledger.block(account(3), try act())
        try await ledger.unblock(account(3), try act())
        _ = try await ledger.preview(.revokeSessions(account(3)), try act(), in: try context())
        _ = try await ledger.undoTransfer(of: original("9"), try act(), in: try context())
        let code = SupportRequest.setRecoveryCode(account(3), digest: Data([33]))
        _ = try await ledger.preview(code, try act(), in: try context())
        _ = try await ledger.retryReceipt("r_kept_1", try act())
        _ = try await ledger.revokeSessions(of: account(3), try act())
        _ = try await ledger.accountReport(of: account(1), after: nil, limit: 200, in: try context())
        _ = try await ledger.account(ofReceipt: "r_0")
        for last in [nil, account(1)] { _ = try await ledger.newestAccounts(after: last, limit: 9) }
        let actor = AuditActor.command(user: "root")
        let token = AdminToken(name: "carol", role: .read, createdAt: today)
        try await ledger.createAdminToken(token, digest: Data([9]), by: actor)
        _ = try await ledger.adminToken(digest: Data([9]))
        _ = try await ledger.revokeAdminToken(named: "carol", by: actor, at: today)
    }

    /// The answers that can be read without writing.
    func read() async throws -> [String] {
        [
            try await holdings(of: 1), try await holdings(of: 2), try await answer(to: receipt("a")) ?? "",
            "\(try await ledger.account(forToken: Data([1])) == account(1)) \(try await ledger.isEmpty())",
            "\(try await ledger.value(forKey: "key/1") ?? Data()) \(try await ledger.values(withPrefix: "key/"))",
        ]
    }
}
