package import Foundation
package import InAppPurchase

/// The rules of ``Ledger``. Runs inside one database transaction.
package struct SupportRecorder<Rows: SupportRows> {
    let rows: Rows
    let act: SupportAct

    package init(_ rows: Rows, _ act: SupportAct) {
        self.rows = rows
        self.act = act
    }

    package func transfer(_ key: OriginalTransaction.Key, to account: AccountID, in context: RecordingContext) throws
        -> OriginalTransaction
    {
        _ = try facts(of: account)
        guard let original = try rows.originalTransactions([key])[key] else {
            return try give(key, to: account, in: context)
        }
        return try move(original, to: account, in: context)
    }

    /// Moves an original transaction back to the owner before the present one, whoever of them paid or asked for it.
    package func undoTransfer(
        of key: OriginalTransaction.Key, in context: RecordingContext
    ) throws -> OriginalTransaction {
        guard let original = try rows.originalTransactions([key])[key] else {
            throw LedgerRefusal.unknownOriginalTransaction
        }
        let owners = try ReceiptRecorder(rows, context).successiveOwners(of: original)
        guard let former = owners.dropLast().last else { throw LedgerRefusal.notTransferred }
        let isMovedBack = original.basis == .administrator && owners.dropLast(2).last == original.owner
        guard !isMovedBack else { return original }
        _ = try facts(of: former)
        return try move(original, to: former, isUndo: true, in: context)
    }

    private func move(
        _ original: OriginalTransaction, to account: AccountID, isUndo: Bool = false, in context: RecordingContext
    ) throws -> OriginalTransaction {
        let key = original.key
        let moved = original.given(to: account, at: act.date)
        guard moved != original else { return original }
        try rows.write(moved, adding: Array(moved.transfers.dropFirst(original.transfers.count)))
        if moved.owner != original.owner { try rows.queueAccountToken(of: moved, at: act.date) }
        var content = original.owner == account ? [:] : original.key.moveContent(from: original.owner, to: account)
        content["app"] = .string(key.app.text)
        content["environment"] = .string(key.environment.rawValue)
        if isUndo { content["undo"] = .bool(true) }
        if original.owner != account {
            try append(
                .originalTransactionLost, original.owner, key.originalID.text, content, before: original.auditContent,
                after: moved.auditContent)
        }
        try append(
            .originalTransactionTransferred, account, key.originalID.text, content, before: original.auditContent,
            after: moved.auditContent)
        let records = try rows.transactions(of: account).filter { $0.transaction.originalTransactionKey == key }
        try ReceiptRecorder(rows, context).deliver(records, .operator)
        return moved
    }

    /// Gives an account an original transaction that nobody presented.
    private func give(
        _ key: OriginalTransaction.Key, to account: AccountID, in context: RecordingContext
    ) throws -> OriginalTransaction {
        let isForgotten = try !rows.forgottenOriginalTransactions(among: [key]).isEmpty
        let waiting = isForgotten ? [] : try rows.unclaimed(of: [key])
        guard !waiting.isEmpty else { throw LedgerRefusal.unknownOriginalTransaction }
        var original = OriginalTransaction(key: key, owner: account, basis: .administrator)
        var history = OwnershipHistory()
        history.assign(account, at: act.date, shown: act.date, as: .administrator)
        original.history = history
        try rows.write(original, adding: [])
        try rows.queueAccountToken(of: original, at: act.date)
        try append(
            .originalTransactionTransferred, account, key.originalID.text,
            [
                "app": .string(key.app.text), "environment": .string(key.environment.rawValue),
                "accessGainedBy": .string(account.text), "creditsStayWith": .string(account.text),
            ], before: ["owner": .null, "basis": .null], after: original.auditContent)
        try ReceiptRecorder(rows, context).give(waiting, of: original)
        return original
    }

    package func adjust(_ adjustment: Adjustment, in context: RecordingContext) throws -> Int {
        let (account, scope, currency) = (adjustment.account, adjustment.scope, adjustment.currency)
        _ = try facts(of: account)
        if let earlier = try rows.adjustment(withKey: adjustment.idempotencyKey, of: account, in: scope) {
            guard earlier.adjustment == adjustment else { throw LedgerRefusal.idempotencyKeyReused }
            return earlier.balance
        }
        let balance = try rows.balances(of: account, in: scope)[currency]
        let named = context.catalog.app(scope.app)?.namedCurrencies ?? []
        // Credits of a product that is no longer sold can still be given as compensation, and taken back.
        guard balance != nil || named.contains(currency) else {
            throw LedgerRefusal.unknownCurrency(named: named.sorted())
        }
        let before = balance ?? 0
        let after = before.saturatingAdding(adjustment.amount)
        try rows.post(
            Posting(
                account: account, scope: scope, currency: currency, amount: adjustment.amount, kind: .adjustment,
                cause: adjustment.idempotencyKey, date: act.date))
        try rows.write(
            RecordedAdjustment(
                adjustment: adjustment, balance: after, actor: act.actor.name, reason: act.reason, date: act.date))
        try append(
            .creditsAdjusted, account, adjustment.idempotencyKey,
            [
                "amount": .integer(adjustment.amount), "currency": .string(currency.text),
                "app": .string(scope.app.text),
                "environment": .string(scope.environment.rawValue),
            ], before: ["balance": .integer(before)], after: ["balance": .integer(after)])
        return after
    }

    package func block(_ account: AccountID) throws -> Date {
        if let since = try facts(of: account).blockedAt { return since }
        try rows.setBlocked(account, since: act.date)
        try append(.accountBlocked, account, before: ["blockedAt": .null], after: ["blockedAt": .date(act.date)])
        return act.date
    }

    package func unblock(_ account: AccountID) throws {
        guard let since = try facts(of: account).blockedAt else { return }
        try rows.setBlocked(account, since: nil)
        try append(.accountUnblocked, account, before: ["blockedAt": .date(since)], after: ["blockedAt": .null])
    }

    package func setExternalID(_ id: ExternalID?, of account: AccountID) throws {
        let known = try facts(of: account).externalID
        guard known != id else { return }
        if let id, try rows.account(withExternalID: id) != nil { throw LedgerRefusal.externalIDInUse }
        try rows.setExternalID(id, of: account)
        try append(
            .externalIDChanged, account, before: ["externalID": .stringIfAny(known?.text)],
            after: ["externalID": .stringIfAny(id?.text)])
    }

    /// Writes the act's reason down as a note.
    package func addNote(_ id: String, to account: AccountID) throws -> AccountNote {
        _ = try facts(of: account)
        let notes = try rows.notes(of: account)
        if let last = notes.first, last.says(theSameAs: act) { return last }
        guard notes.count < AccountNote.maximumOfAccount else { throw LedgerRefusal.tooManyNotes }
        let note = AccountNote(id: id, text: act.reason, actor: act.actor.name, date: act.date)
        try rows.write(note, of: account)
        try append(
            .noteAdded, account, id, before: ["notes": .integer(notes.count)],
            after: ["notes": .integer(notes.count + 1)])
        return note
    }

    package func removeNote(_ id: String, of account: AccountID) throws {
        _ = try facts(of: account)
        let notes = try rows.notes(of: account)
        guard notes.contains(where: { $0.id == id }) else { return }
        try rows.removeNote(id, of: account)
        try append(
            .noteRemoved, account, id, before: ["notes": .integer(notes.count)],
            after: ["notes": .integer(notes.count - 1)])
    }

    package func revokeSessions(of account: AccountID) throws -> Int {
        _ = try facts(of: account)
        let open = try rows.closeSessions(of: account, at: act.date)
        guard open > 0 else { return 0 }
        try append(
            .sessionsRevoked, account, before: ["openSessions": .integer(open)], after: ["openSessions": .integer(0)])
        return open
    }

    package func setRecoveryCode(of account: AccountID, digest: Data) throws {
        _ = try facts(of: account)
        try rows.setRecoveryCode(digest, of: account)
        try append(
            .recoveryCodeRotated, account, before: ["recoveryCode": .string("present")],
            after: ["recoveryCode": .string("new")])
    }

    package func retryReceipt(_ id: String) throws -> ReceiptFacts {
        guard let (account, facts) = try rows.listedReceipt(id) else { throw LedgerRefusal.unknownReceipt }
        guard facts.status == .pending, let retry = facts.retryAt, retry > act.date else { return facts }
        try rows.setRetry(ofReceipt: id, at: act.date)
        try append(
            .receiptRetried, account, id, before: ["retryAt": .date(retry)], after: ["retryAt": .date(act.date)])
        return try rows.listedReceipt(id)?.facts ?? facts
    }

    func facts(of account: AccountID) throws -> AccountFacts {
        guard let facts = try rows.account(account) else { throw LedgerRefusal.unknownAccount }
        return facts
    }

    func append(
        _ kind: AuditEntry.Kind, _ account: AccountID, _ subject: String? = nil,
        _ content: [String: JSONValue] = [:], before: [String: JSONValue], after: [String: JSONValue]
    ) throws {
        var content = content
        content["reason"] = .string(act.reason)
        content["before"] = .object(before)
        content["after"] = .object(after)
        try rows.append(
            AuditEntry(kind, by: act.actor, account: account, subject: subject, content: content, at: act.date))
    }

    package func addToBeta(_ account: AccountID) throws -> Date {
        if let since = try facts(of: account).betaSince { return since }
        try rows.setBeta(account, since: act.date)
        try append(
            .betaAdded, account, before: ["betaSince": .null], after: ["betaSince": .string(act.date.rfc3339)])
        return act.date
    }

    package func removeFromBeta(_ account: AccountID) throws {
        guard let since = try facts(of: account).betaSince else { return }
        try rows.setBeta(account, since: nil)
        try append(
            .betaRemoved, account, before: ["betaSince": .string(since.rfc3339)], after: ["betaSince": .null])
    }
}

extension OriginalTransaction {
    var auditContent: [String: JSONValue] { ["owner": .string(owner.text), "basis": .string(basis.rawValue)] }
}

extension JSONValue {
    static func date(_ date: Date) -> JSONValue { .string(date.rfc3339) }

    static func stringIfAny(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
