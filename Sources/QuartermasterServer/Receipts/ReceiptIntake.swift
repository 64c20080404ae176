import AppStore
import Crypto
import Foundation
import InAppPurchase
import Logging
import NIOCore

/// The way of a receipt: recognised, recorded, judged, settled.
struct ReceiptIntake: Sendable {
    let ledger: any Ledger
    let decisions: Decisions
    let verifier: LocalVerifier
    let store: StoreQuestions
    let random: RandomBytes
    let logger: Logger
    let metrics: ServerMetrics

    /// Takes what a client sent and says what came of it.
    ///
    /// What Unity wraps around a receipt is taken off first, like white space: the same receipt with and without it is
    /// one, and what is recorded, hashed and judged is the receipt.
    ///
    /// - Parameters:
    ///   - device: that an app receipt must be made for, where this server judges it.
    ///   - time: how long the store may be asked meanwhile; where there is none left, the receipt waits.
    /// - Throws: 413 where it is too long for any receipt, 429 where too many wait, ``AppStore/VerifierBusy``, and
    ///   what the ledger throws.
    func take(
        _ sent: String, bundleID: BundleID?, device: DeviceIdentifier? = nil, from account: AccountID,
        within time: Duration = Limits.firstAttempt
    ) async throws -> ReceiptAnswer {
        let sent = sent.trimmed
        guard sent.utf8.count <= Receipt.maximumSize else {
            throw await Problem.receiptTooLarge.naming(
                try noteUnreadable(ByteBuffer(string: sent), "receipt too large", from: account))
        }
        let content = Receipt.unwrapped(sent).trimmed
        guard let kind = Receipt.Kind(of: content) else {
            let id = try await noteUnreadable(ByteBuffer(string: content), "no kind of receipt", from: account)
            return counted(ReceiptAnswer(receipt: id, status: .rejected, rejection: .malformed), of: nil)
        }
        let receipt = Receipt(
            id: Names.receipt(random), account: account, kind: kind, content: content,
            digest: Data(SHA256.hash(data: Data(content.utf8))), bundleID: bundleID)
        switch kind {
        case .signedTransaction: return try await judge(receipt, for: device, within: time)
        case .appReceipt where verifier.judgesAppReceipts:
            return try await judge(receipt, for: device, within: time)
        case .appReceipt, .transactionReceipt: return try await keepAndAsk(receipt, for: device, within: time)
        case .transactionID:
            guard let app = bundleID ?? decisions.onlyApp, await store.keys.key(for: app) != nil else {
                return try await settle(receipt, .failure(ReceiptRejection(.unsupported, "no key for the store's API")))
            }
            return try await keepAndAsk(receipt, for: device, within: time)
        }
    }

    /// Records the receipt, then asks the store about it, or lets it wait.
    private func keepAndAsk(
        _ receipt: Receipt, for device: DeviceIdentifier?, within time: Duration
    ) async throws -> ReceiptAnswer {
        let kept = try await keep(receipt)
        let wait = ReceiptAnswer(receipt: kept.receipt.id, status: .pending)
        var answer = time > .zero ? try await ask(kept, within: time) : wait
        guard answer.status == .pending else { return answer }
        answer.provisionalUntil = try await openProvisionally(kept.receipt, for: device)
        return counted(answer, of: receipt.kind)
    }

    private func counted(_ answer: ReceiptAnswer, of kind: Receipt.Kind?) -> ReceiptAnswer {
        metrics.count(answer, of: kind)
        return answer
    }

    /// Records a receipt before the store is asked.
    private func keep(_ receipt: Receipt) async throws -> KeptReceipt {
        let now = decisions.clock()
        do {
            return try await ledger.keep(
                receipt, retryAt: now.addingTimeInterval(Limits.firstAttemptLease), at: now)
        } catch LedgerRefusal.tooManyPending {
            throw await Problem.tooManyPending.naming(
                try noteUnreadable(ByteBuffer(string: receipt.content), "too many pending", from: receipt.account))
        }
    }

    /// Records that something came that is not taken, and returns the ID it is recorded by.
    @discardableResult
    func noteUnreadable(_ bytes: ByteBuffer, _ reason: String, from account: AccountID) async throws -> String {
        let id = Names.receipt(random)
        try await ledger.recordUnreadable(
            id: id, digest: bytes.sha256, length: bytes.readableBytes, reason: reason, from: account,
            at: decisions.clock())
        return id
    }

    /// What the store signed is judged here. The record and the outcome share one commit.
    private func judge(
        _ receipt: Receipt, for device: DeviceIdentifier?, within time: Duration
    ) async throws -> ReceiptAnswer {
        let context = decisions.context
        let verdict = try await verifier.verdict(on: receipt, for: device, in: context)
        if receipt.kind == .signedTransaction, let shown = try? verdict.get().transactions.first,
            await store.isStale(shown, at: context.date), try await !ledger.knows(shown.key)
        {
            return try await keepAndAsk(receipt, for: device, within: time)
        }
        return try await settle(receipt, verdict)
    }

    /// Asks the store about a receipt that is kept, and settles it or puts it off.
    func ask(_ kept: KeptReceipt, within time: Duration) async throws -> ReceiptAnswer {
        let receipt = kept.receipt
        let asked = ContinuousClock.now
        let verdict = await store.verdict(
            on: receipt, of: receipt.bundleID ?? decisions.onlyApp, within: time, in: decisions.context)
        metrics.asked(verdict, took: .now - asked)
        switch verdict {
        case .verified(let answer): return try await settle(receipt, self.verdict(on: answer, of: receipt))
        case .rejected(let rejection): return try await settle(receipt, .failure(rejection))
        case .unavailable(let trouble):
            let answered = decisions.clock()
            guard let retry = RetryPlan(after: kept, trouble, at: answered, random) else {
                return try await settle(receipt, .failure(ReceiptRejection(.malformed, trouble.detail)))
            }
            report(trouble, receipt, retry)
            try await ledger.postpone(
                receipt, attempts: retry.attempts, until: answered.addingTimeInterval(retry.delay), at: answered)
            return ReceiptAnswer(receipt: receipt.id, status: .pending)
        }
    }

    private func verdict(
        on answer: StoreAnswer, of receipt: Receipt
    ) -> Result<VerifiedReceipt, ReceiptRejection> {
        if answer.unreadableEntries > 0 {
            logger.error(
                "the store's answer has entries that cannot be read",
                metadata: ["receipt": "\(receipt.id)", "entries": "\(answer.unreadableEntries)"])
        }
        do throws(ReceiptRejection) {
            try answer.check(against: decisions.context.catalog, expecting: receipt.bundleID)
            return .success(answer.receipt)
        } catch {
            return .failure(error)
        }
    }

    private func settle(
        _ receipt: Receipt, _ verdict: Result<VerifiedReceipt, ReceiptRejection>
    ) async throws -> ReceiptAnswer {
        let answer = counted(try await ledger.settle(receipt, verdict, in: decisions.context), of: receipt.kind)
        if answer.status == .rejected, case .failure(let rejection) = verdict {
            logger.notice(
                "receipt rejected",
                metadata: [
                    "receipt": "\(answer.receipt)", "reason": "\(rejection.reason.rawValue)",
                    "detail": "\(rejection.detail)",
                ])
        }
        for transaction in answer.transactions where transaction.outcome == .denied(.typeMismatch) {
            logger.error(
                "the store's product type is not the catalog's; nothing is delivered",
                metadata: [
                    "receipt": "\(answer.receipt)", "product": "\(transaction.transaction.productID)",
                    "storeType": "\(transaction.transaction.provenType?.rawValue ?? "-")",
                ])
        }
        return answer
    }

    private func report(_ trouble: Unavailability, _ receipt: Receipt, _ retry: RetryPlan) {
        logger.log(
            level: trouble.cause == .misconfigured ? .error : .warning,
            trouble.cause == .misconfigured
                ? "the store refuses the app's shared secret; receipts wait until it is right"
                : "the store cannot judge a receipt now",
            metadata: [
                "receipt": "\(receipt.id)", "detail": "\(trouble.detail)", "attempt": "\(retry.attempts.count)",
                "retryInSeconds": "\(Int(clamping: retry.delay))",
            ])
    }
}

extension Decisions {
    /// The app that a receipt must be of where only one is served.
    fileprivate var onlyApp: BundleID? {
        let apps = live.current.catalog.apps
        return apps.count == 1 ? apps.first?.bundleID : nil
    }
}
