package import InAppPurchase

extension ReceiptRecorder {
    /// Records facts that the App Store reports without a client, and delivers to the owners of the original
    /// transactions.
    ///
    /// An original transaction without an owner gets one only if an `appAccountToken` names an account of this server;
    /// otherwise its transactions wait for the account that presents it. No original transaction is transferred, and
    /// what a sandbox reset forgot stays forgotten.
    ///
    /// - Parameter cause: the notification or the request that brought the facts; stored with the postings.
    package func observe(_ facts: VerifiedReceipt, cause: String) throws -> Observation {
        let result = try merge(try withoutForgotten(facts), presented: nil, cause: cause)
        try deliver(Array(result.records.values), .notification(cause), new: result.new, changes: result.written)
        return Observation(
            changed: result.changed.count, unclaimed: result.unclaimed.count,
            owners: Set(result.records.values.map(\.owner)))
    }

    /// Applies a notification's facts, and records that in the audit trail of every account that they concern.
    package func apply(_ notification: AppStoreNotification) throws -> Observation {
        let observation = try observe(notification.facts, cause: notification.id)
        var content: [String: JSONValue] = [
            "type": .string(notification.type), "signedDate": .string(notification.signedDate.rfc3339),
            "transactions": .array(notification.facts.transactions.map { .string($0.id.text) }),
            "new": .integer(observation.changed), "unclaimed": .integer(observation.unclaimed),
        ]
        content["subtype"] = notification.subtype.map { .string($0) }
        content["app"] = notification.app.map { .string($0.text) }
        content["environment"] = notification.environment.map { .string($0.rawValue) }
        let concerned = observation.owners.sorted { $0.text < $1.text }.map(Optional.some)
        for account in concerned.isEmpty ? [nil] : concerned {
            try rows.append(
                AuditEntry(
                    .notificationApplied, account: account, subject: notification.id, content: content,
                    at: context.date))
        }
        return observation
    }

    /// Removes the transactions that a sandbox reset forgot from what the App Store reports without a client: only a
    /// client that presents a purchase again restores it.
    package func withoutForgotten(_ verified: VerifiedReceipt) throws -> VerifiedReceipt {
        let originals = try rows.forgottenOriginalTransactions(
            among: Set(verified.transactions.map(\.originalTransactionKey)))
        let transactions = try rows.forgottenTransactions(among: Set(verified.transactions.map(\.key)))
        var remembered = verified
        remembered.transactions.removeAll {
            originals.contains($0.originalTransactionKey) || transactions.contains($0.key)
        }
        return remembered
    }
}
