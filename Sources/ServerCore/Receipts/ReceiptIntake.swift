import Foundation
package import InAppPurchase
package import Ledger
package import Logging
import NIOCore
package import ServerHTTP
package import StoreClient

/// The processing of a receipt: recognize, record, verify, deliver.
package struct ReceiptIntake: Sendable {
    package let ledger: any ReceiptLedger & StoreLedger
    package let decisions: ServingContext
    package let store: any Store
    package let random: RandomBytes
    package let logger: Logger
    /// Logs the messages that anybody with an account can cause, limited in number.
    package let lines: RepeatedLines
    package let metrics: ServerMetrics

    package init(
        ledger: any ReceiptLedger & StoreLedger, decisions: ServingContext, store: any Store,
        random: @escaping RandomBytes, logger: Logger,
        lines: RepeatedLines, metrics: ServerMetrics
    ) {
        self.ledger = ledger
        self.decisions = decisions
        self.store = store
        self.random = random
        self.logger = logger
        self.lines = lines
        self.metrics = metrics
    }

    /// About transaction IDs that the store did not know for a day, by the receipt's ID.
    package let questions = HourlyQuestions()
    let turns = StoreTurns()

    /// Accepts what a client sent and returns the outcome.
    ///
    /// A wrapper around a receipt, such as Unity's, is removed first, like white space: the same receipt with and
    /// without it is one, and what is recorded, hashed and verified is the receipt inside.
    ///
    /// - Parameters:
    ///   - device: what the request says about the device that sends it.
    ///   - mayTransfer: whether purchases that another account owns may be transferred to this one.
    ///   - address: the client's address, a /64 for IPv6; `nil` if it is not known.
    ///   - time: how long the store may be asked while the client waits; if it is zero, the receipt stays pending.
    /// - Throws: 413 if it is too long for any receipt, 429 if too many receipts are pending or too many bytes are
    ///   stored, ``VerificationUnavailable``, and what the ledger throws.
    package func accept(
        _ sent: String, bundleID: BundleID?, device: SendingDevice = SendingDevice(), mayTransfer: Bool = true,
        from account: AccountID, at address: IPAddress? = nil, within time: Duration = Limits.firstAttempt
    ) async throws -> ReceiptAnswer {
        let sent = sent.trimmed
        guard sent.utf8.count <= store.maximumReceiptSize else {
            throw await Problem.receiptTooLarge.naming(
                recordRefusal(of: ByteBuffer(string: sent), "receipt too large", from: account))
        }
        let content = store.unwrapped(sent).trimmed
        guard let recognized = store.recognize(content) else {
            let id = try await recordUnreadable(ByteBuffer(string: content), "no kind of receipt", from: account)
            return counted(ReceiptAnswer(receipt: id, status: .rejected, rejection: .malformed), of: nil)
        }
        let receipt = Receipt(
            id: Names.receipt(random, at: decisions.clock()), account: account, kind: recognized.kind, content: content,
            digest: recognized.digest, textDigest: recognized.textDigest, bundleID: bundleID, address: address?.text,
            mayTransfer: mayTransfer)
        switch try await store.plan(for: receipt, from: device, in: decisions.context) {
        case .verify(let receipt): return try await verifySignature(of: receipt, for: device, within: time)
        case .ask(let receipt): return try await enqueueAndAsk(receipt, for: device, within: time)
        case .reject(let receipt, let rejection): return try await record(receipt, .failure(rejection))
        }
    }

    /// Records the receipt as pending, then asks the store about it if there is time.
    private func enqueueAndAsk(
        _ receipt: Receipt, for device: SendingDevice, within time: Duration
    ) async throws -> ReceiptAnswer {
        let pending: PendingReceipt
        do {
            pending = try await enqueue(receipt)
        } catch let refusal as LedgerRefusal where refusal.isLackOfRoom {
            return try await askOnly(receipt, after: refusal, within: time)
        }
        if RetryPlan.isNotFound(pending), !questions.begin(pending.receipt.id, at: decisions.clock()) {
            return try await record(pending.receipt, .failure(ReceiptRejection(.notFound, "asked within the hour")))
        }
        let wait = ReceiptAnswer(receipt: pending.receipt.id, status: .pending)
        var answer = time > .zero ? try await ask(pending, within: time).answer : wait
        guard answer.status == .pending else { return answer }
        answer.provisionalUntil = try await openProvisionally(pending.receipt, for: device)
        return counted(answer, of: receipt.kind)
    }

    /// Asks the store about a receipt for which the retry queue has no room, since others, of the same address perhaps,
    /// wait there: what the store knows is delivered. Of anything else nothing is kept.
    private func askOnly(
        _ receipt: Receipt, after refusal: LedgerRefusal, within time: Duration
    ) async throws -> ReceiptAnswer {
        guard case .verified(let verified) = await askStore(about: receipt, within: time) else {
            return try await recordingRefusal(of: receipt) { throw refusal }
        }
        return try await record(receipt, .success(verified))
    }

    private func askStore(about receipt: Receipt, within time: Duration) async -> VerificationResult<VerifiedReceipt> {
        let context = decisions.context
        return await turns.ask(about: receipt, within: time) { time in
            await store.ask(about: receipt, within: time, in: context)
        } ?? .unavailable(.noTurn)
    }

    package func counted(_ answer: ReceiptAnswer, of kind: Receipt.Kind?) -> ReceiptAnswer {
        metrics.count(answer, of: kind)
        return answer
    }

    /// Records a receipt in the retry queue before the store is asked.
    func enqueue(_ receipt: Receipt, isVerified: Bool = false) async throws -> PendingReceipt {
        let now = decisions.clock()
        return try await ledger.enqueue(
            receipt, isVerified: isVerified, retryAt: now.addingTimeInterval(Limits.firstAttemptLease),
            within: decisions.receiptBytes, at: now)
    }

    /// Runs the write. If the ledger refuses the receipt for lack of room, its hash and length are recorded all the
    /// same.
    func recordingRefusal<Value: Sendable>(
        of receipt: Receipt, _ write: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await write()
        } catch LedgerRefusal.tooManyPending {
            throw await Problem.tooManyPending.naming(recordWithoutBytes(receipt, "too many pending"))
        } catch LedgerRefusal.tooManyBytes(let kind) {
            metrics.bytesRefused(kind)
            let problem = Problem.tooManyBytes(kind, retryAfter: kind.retryAfter(at: decisions.clock()))
            throw await problem.naming(recordWithoutBytes(receipt, "too many bytes, \(kind.rawValue)"))
        }
    }

    private func recordWithoutBytes(_ receipt: Receipt, _ reason: String) async -> String? {
        await recordRefusal(of: ByteBuffer(string: receipt.content), reason, from: receipt.account)
    }

    /// Verifies a receipt by its signature. The receipt and its outcome are recorded in one commit.
    private func verifySignature(
        of receipt: Receipt, for device: SendingDevice, within time: Duration
    ) async throws -> ReceiptAnswer {
        let context = decisions.context
        var receipt = receipt
        let result: Result<VerifiedReceipt, ReceiptRejection>
        do {
            result = try await store.verify(receipt, for: device, in: context)
        } catch let error as VerificationUnavailable {
            guard let trouble = error.clockTrouble else { throw error }
            return try await waitForClock(receipt, trouble)
        }
        let rejection: ReceiptRejection? = if case .failure(let rejection) = result { rejection } else { nil }
        decisions.signatures.record(.receipts, rejection, at: context.date)
        guard case .success(let verified) = result else { return try await record(receipt, result) }
        if let evidence = verified.evidence { receipt.isForDevice = evidence.isForDevice }
        receipt.app = verified.transactions.first?.app
        switch store.proof(by: receipt.kind) {
        case .transaction:
            if try await isStale(verified, at: context.date) {
                return try await enqueueAndAsk(receipt, for: device, within: time)
            }
            try await observeRefunds(of: verified, in: receipt, within: time)
        case .snapshot:
            if try await mustAsk(about: verified, receipt, in: context) {
                return try await checkFirst(receipt, verified, within: time)
            }
        case .nothing, .provisional: break
        }
        return try await record(receipt, result)
    }

    /// Whether the store is to be asked for the present state of a signed transaction.
    private func isStale(_ verified: VerifiedReceipt, at date: Date) async throws -> Bool {
        guard let shown = verified.transactions.first, await store.isStale(shown, at: date) else { return false }
        return try await !ledger.contains(shown.key)
    }

    /// Keeps a genuine receipt until this machine's clock has reached the date of its signing.
    private func waitForClock(_ receipt: Receipt, _ trouble: Unavailability) async throws -> ReceiptAnswer {
        let pending = try await recordingRefusal(of: receipt) { try await enqueue(receipt, isVerified: true) }
        return counted(try await postpone(pending, after: trouble).answer, of: receipt.kind)
    }

    /// Asks the store about a pending receipt, and either completes it or postpones it.
    package func ask(_ pending: PendingReceipt, within time: Duration) async throws -> AskedReceipt {
        do {
            return try await verifyOrAsk(pending, within: time)
        } catch let error as VerificationUnavailable {
            guard let trouble = error.clockTrouble else { throw error }
            return try await postpone(pending, after: trouble)
        }
    }

    private func verifyOrAsk(_ pending: PendingReceipt, within time: Duration) async throws -> AskedReceipt {
        let receipt = pending.receipt
        let proof = store.proof(by: receipt.kind)
        guard proof != .snapshot else { return try await checkAgain(pending, within: time) }
        if pending.attempts.trouble == .clock, proof == .transaction {
            // It waited for the clock only, not for the store.
            let context = decisions.context
            let result = try await store.verify(receipt, for: SendingDevice(), in: context)
            if case .success(let verified) = result, try await !isStale(verified, at: context.date) {
                return AskedReceipt(answer: try await record(receipt, result))
            }
        }
        let asked = ContinuousClock.now
        switch await askStore(about: receipt, within: time) {
        case .verified(let verified):
            if proof == .transaction {
                try await observeRefunds(of: verified, in: receipt, within: time - asked.duration(to: .now))
            }
            return AskedReceipt(answer: try await record(receipt, .success(verified)))
        case .rejected(let rejection): return AskedReceipt(answer: try await record(receipt, .failure(rejection)))
        case .unavailable(let trouble): return try await postpone(pending, after: trouble)
        }
    }

    /// Plans the next question about a receipt, or completes it if another one is of no use.
    private func postpone(_ pending: PendingReceipt, after trouble: Unavailability) async throws -> AskedReceipt {
        let (receipt, now) = (pending.receipt, decisions.clock())
        guard let retry = RetryPlan(after: pending, trouble, at: now, random) else {
            return AskedReceipt(answer: try await record(receipt, lastWord(on: receipt, after: trouble)))
        }
        report(trouble, receipt, retry)
        try await ledger.postpone(
            receipt, attempts: retry.attempts, until: now.addingTimeInterval(retry.delay), at: now)
        var answer = ReceiptAnswer(receipt: receipt.id, status: .pending)
        answer.trouble = retry.attempts.trouble
        return AskedReceipt(answer: answer, isAskedAgain: true)
    }

    /// The result for a receipt about which asking again is of no use: what its signature says, if this server can
    /// verify it; otherwise a rejection.
    private func lastWord(
        on receipt: Receipt, after trouble: Unavailability
    ) async throws -> Result<VerifiedReceipt, ReceiptRejection> {
        guard store.proof(by: receipt.kind) == .transaction else { return .failure(trouble.lastWord) }
        return try await store.verify(receipt, for: SendingDevice(), in: decisions.context)
    }

    package func record(_ receipt: Receipt, _ result: Result<VerifiedReceipt, ReceiptRejection>) async throws
        -> ReceiptAnswer
    {
        let settled = try await recordingRefusal(of: receipt) {
            try await ledger.record(receipt, result, in: decisions.context)
        }
        let answer = counted(settled, of: receipt.kind)
        if answer.status == .rejected, case .failure(let rejection) = result {
            lines.log(
                .init("receipt rejected", ["reason": rejection.reason.rawValue]), .notice,
                metadata: [
                    "receipt": "\(answer.receipt)", "reason": "\(rejection.reason.rawValue)",
                    "detail": "\(rejection.detail)",
                ], to: logger)
        }
        if case .success(let verified) = result { reportOldVersion(verified, answer) }
        for transaction in answer.transactions where transaction.outcome == .denied(.typeMismatch) {
            logger.error(
                "the store's product type differs from the catalog's; nothing is delivered",
                metadata: [
                    "receipt": "\(answer.receipt)", "product": "\(transaction.transaction.productID)",
                    "storeType": "\(transaction.transaction.provenType?.rawValue ?? "-")",
                ])
        }
        return answer
    }

    /// Logs that a receipt is of a version below the minimum of the app's entry. It is recorded like any other: a
    /// purchase is no less paid for because the app is old.
    private func reportOldVersion(_ verified: VerifiedReceipt, _ answer: ReceiptAnswer) {
        guard !answer.isDuplicate, let version = verified.appVersion,
            decisions.context.catalog.isBelowMinimum(version)
        else { return }
        lines.log(
            .init("a receipt names an app version below the minimum", ["app": version.app.text]), .warning,
            metadata: [
                "receipt": "\(answer.receipt)", "app": "\(version.app)", "version": "\(version.text)",
            ], to: logger)
    }

    package func report(_ trouble: Unavailability, _ receipt: Receipt, _ retry: RetryPlan) {
        lines.log(
            .init("\(store.message(about: trouble))"), trouble.isOurs ? .error : .warning,
            metadata: [
                "receipt": "\(receipt.id)", "detail": "\(trouble.detail)", "attempt": "\(retry.attempts.count)",
                "retryInSeconds": "\(Int(clamping: retry.delay))",
            ], to: logger)
    }

    /// Opens provisional access for a receipt that the store cannot verify now, if the setting allows it and the
    /// receipt's own signature is valid. Transaction receipts and transaction IDs have no such signature.
    ///
    /// - Returns: the end of the provisional access; `nil` if it gives none, or the verifier has no time now.
    func openProvisionally(_ receipt: Receipt, for device: SendingDevice) async throws -> Date? {
        let context = decisions.context
        guard context.provisionalTime > 0, store.proof(by: receipt.kind) != .nothing else { return nil }
        do {
            let verified = try await store.verify(receipt, for: device, in: context).get()
            return try await ledger.openProvisionally(receipt, verified, in: context)
        } catch is ReceiptRejection {
            return nil
        } catch is VerificationUnavailable {
            return nil
        }
    }
}

extension ReceiptBytesKind {
    /// The seconds until the budget has room. It starts anew on the next day; that of pending receipts may have room
    /// earlier.
    fileprivate func retryAfter(at date: Date) -> Int {
        let rest = Int(clamping: ReceiptByteBudgets.dayEnd(of: date).timeIntervalSince(date).rounded(.up))
        return max(1, self == .pending ? min(rest, Problem.pendingRetryAfter) : rest)
    }
}

extension Unavailability {
    /// Whether somebody has to correct something on this server.
    fileprivate var isOurs: Bool { cause == .misconfigured || cause == .badRequest || cause == .clock }

    /// The rejection of a receipt about which asking again is of no use.
    fileprivate var lastWord: ReceiptRejection {
        let reason: ReceiptRejection.Reason =
            switch cause {
            case .badRequest: .unsupported
            case .notFound: .notFound
            case .ambiguous, .temporary, .misconfigured, .clock: .malformed
            }
        return ReceiptRejection(reason, detail)
    }
}
