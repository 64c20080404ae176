import Foundation
import InAppPurchase
import Ledger
import Logging
import ServerHTTP
import StoreClient

/// Receipts of ``ReceiptProof/snapshot``, such as app receipts: this server verifies them by itself, and asks the store
/// about them if they are old.
extension ReceiptIntake {
    /// Whether the store may know more than this server about what the receipt would give.
    func mustAsk(
        about verified: VerifiedReceipt, _ receipt: Receipt, in context: RecordingContext
    ) async throws -> Bool {
        guard AppReceiptQuestion.mayArise(on: verified, at: context.date), await store.canAsk(about: verified) else {
            return false
        }
        return try await !ledger.question(on: receipt, verified, in: context).originalTransactions.isEmpty
    }

    /// Asks the store about such a receipt while a client waits for the answer.
    func checkFirst(
        _ receipt: Receipt, _ verified: VerifiedReceipt, within time: Duration
    ) async throws -> ReceiptAnswer {
        let pending: PendingReceipt
        do {
            pending = try await enqueue(receipt)
        } catch let refusal as LedgerRefusal where refusal.isLackOfRoom {
            // Forgeries that wait must not hold up what the server has verified by itself.
            pending = try await recordingRefusal(of: receipt) { try await enqueue(receipt, isVerified: true) }
        }
        let asked = try await check(pending, verified, within: time)
        // What is recorded is counted there.
        return asked.isAskedAgain ? counted(asked.answer, of: receipt.kind) : asked.answer
    }

    /// Asks the store about a pending receipt, records its answer as facts, and records the receipt as the client sent
    /// it. If the store cannot answer now, what can be delivered meanwhile is delivered, and the receipt is asked about
    /// again.
    private func check(
        _ pending: PendingReceipt, _ verified: VerifiedReceipt, within time: Duration
    ) async throws -> AskedReceipt {
        let receipt = pending.receipt
        guard let trouble = try await askAndRecord(receipt, verified, within: time) else {
            return AskedReceipt(answer: try await record(receipt, .success(verified)))
        }
        let context = decisions.context
        guard let retry = RetryPlan(after: pending, trouble, at: context.date, random) else {
            reportSilence(trouble, receipt)
            return AskedReceipt(answer: try await record(receipt, .success(verified)))
        }
        report(trouble, receipt, retry)
        let answer = try await ledger.deliverMeanwhile(
            receipt, verified, attempts: retry.attempts, until: context.date.addingTimeInterval(retry.delay),
            in: context)
        return AskedReceipt(answer: answer, isAskedAgain: true)
    }

    /// Asks the store about a receipt and records what it says as facts.
    ///
    /// - Returns: the reason why it gave no answer; `nil` if it did.
    private func askAndRecord(
        _ receipt: Receipt, _ verified: VerifiedReceipt, within time: Duration
    ) async throws -> Unavailability? {
        let facts = await ask(about: verified, receipt, within: time)
        switch facts.result {
        case .verified(let answer): try await ledger.recordAnswer(answer, to: receipt, verified, in: decisions.context)
        case .rejected:
            // A store may forget purchases, such as those of a sandbox. If it does not know this one, the
            // signature alone counts.
            let nothing = VerifiedReceipt(transactions: [])
            try await ledger.recordAnswer(nothing, to: receipt, verified, in: decisions.context)
        case .unavailable(let trouble):
            try await observe(facts.partial, about: receipt)
            return trouble
        }
        return nil
    }

    /// Records what the store said before a question failed. The receipt is asked about again all the same.
    private func observe(_ partial: VerifiedReceipt?, about receipt: Receipt) async throws {
        guard let partial else { return }
        _ = try await ledger.observe(partial, cause: receipt.id, in: decisions.context)
    }

    private func reportSilence(_ trouble: Unavailability, _ receipt: Receipt) {
        lines.log(
            .init("the store gives no answer about an app receipt; its signature alone counts"), .error,
            metadata: ["receipt": "\(receipt.id)", "detail": "\(trouble.detail)"], to: logger)
    }

    /// Asks again about a pending receipt.
    func checkAgain(_ pending: PendingReceipt, within time: Duration) async throws -> AskedReceipt {
        let context = decisions.context
        let result = try await store.verify(pending.receipt, for: SendingDevice(), in: context)
        guard let verified = try? result.get(), await store.canAsk(about: verified),
            try await !ledger.question(on: pending.receipt, verified, in: context).originalTransactions.isEmpty
        else { return AskedReceipt(answer: try await record(pending.receipt, result)) }
        return try await check(pending, verified, within: time)
    }

    private func ask(about verified: VerifiedReceipt, _ receipt: Receipt, within time: Duration) async -> StoreFacts {
        guard time > .zero else {
            return StoreFacts(result: .unavailable(Unavailability(.temporary, "no time is left to ask")))
        }
        return await turns.ask(about: receipt, within: time) { time in
            await store.facts(about: verified, of: receipt, within: time, at: decisions.clock())
        } ?? StoreFacts(result: .unavailable(.noTurn))
    }
}

extension LedgerRefusal {
    /// Whether the retry queue has no room for a receipt.
    var isLackOfRoom: Bool {
        switch self {
        case .tooManyPending, .tooManyTransactionIDs, .tooManyBytes(.pending): true
        default: false
        }
    }
}
