import Foundation
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import AppStoreService
@testable import CommandLine
@testable import LedgerSQL
@testable import LedgerSQLite
@testable import QuartermasterServer
@testable import ServerCore

/// A ledger of its own, with one player, that hears of a subscription's life in any order, as a server in the world
/// would.
struct LifeStage: Sendable {
    /// The state of a player in the end, however it was reported.
    struct Outcome: Equatable {
        /// By date.
        var entitlements: [Date: [ProductEntitlement]]
        var balances: Credits
        /// Without those of transactions that no longer count: they were delivered only if they were reported before
        /// their end.
        var deliveries: [String]
    }

    let ledger: SQLLedger
    let clock: TestClock
    let account = UUID()
    private let notifications: NotificationRecorder
    private let store: AppStoreServices
    private let receipts: ReceiptIntake

    init(in world: World, at date: Date) async throws {
        let (ledger, clock) = (try SQLiteLedger.inMemory(handlers: Server.standardHandlers), TestClock(date))
        let (received, shown) = (world.assembly.routes.services.recorder, world.assembly.worker.intake)
        let decisions = ServingContext(live: received.decisions.live, testers: [], xcodeApps: [], clock: { clock.now })
        notifications = NotificationRecorder(
            ledger: ledger, decisions: decisions, logger: received.logger, lines: received.lines,
            metrics: received.metrics)
        store = world.assembly.store
        receipts = ReceiptIntake(
            ledger: ledger, decisions: decisions, store: shown.store, random: shown.random,
            logger: shown.logger, lines: shown.lines, metrics: shown.metrics)
        self.ledger = ledger
        self.clock = clock
        try await ledger.createAccount(AccountID(account), token: Data([1]), recoveryCode: Data([1]), at: date)
    }

    func receive(_ reported: LivedLife.Reported) async throws {
        try await notifications.record { try await store.reader.read(signedPayload: reported.signedPayload, in: $0) }
    }

    /// The player presents a receipt; again, as the app does, if a loaded machine takes longer than a client waits.
    func show(_ receipt: String) async throws {
        var answer = try await receipts.accept(receipt, bundleID: nil, from: AccountID(account))
        for _ in 0..<20 where answer.status == .pending {
            answer = try await receipts.accept(receipt, bundleID: nil, from: AccountID(account))
        }
        #expect(answer.status == .verified, "\(answer)")
    }

    func access(to product: ProductID) async throws -> Access? {
        try await entitlements(at: clock.now).first { $0.product == product }?.access
    }

    var gems: Int {
        get async throws {
            let scope = Scope(app: BundleID(stored: World.app), environment: .production)
            return try await ledger.balances(of: AccountID(account), scope: scope, in: context(clock.now))["gems"] ?? 0
        }
    }

    func outcome(at dates: [Date]) async throws -> Outcome {
        var entitlements: [Date: [ProductEntitlement]] = [:]
        for date in dates { entitlements[date] = try await self.entitlements(at: date) }
        _ = try await ledger.checkAccounts(at: clock.now) { Issue.record("\($0)") }
        let account = account
        let deliveries = try await ledger.read { rows in
            let standing = try rows.transactions(of: AccountID(account)).map(\.transaction)
                .filter { $0.revocation == nil && !$0.isUpgraded }
            return try rows.deliveries(of: Set(standing.map(\.key)), to: AccountID(account)).keys.map(\.id.text)
                .sorted()
        }
        return Outcome(entitlements: entitlements, balances: ["gems": try await gems], deliveries: deliveries)
    }

    private func entitlements(at date: Date) async throws -> [ProductEntitlement] {
        try await ledger.entitlements(of: AccountID(account), in: context(date))
    }

    private func context(_ date: Date) -> RecordingContext {
        var context = notifications.decisions.context
        context.date = date
        return context
    }
}
