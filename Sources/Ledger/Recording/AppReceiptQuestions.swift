package import Foundation
package import InAppPurchase

/// Records the App Store's answers about app receipts, and delivers the transactions that need no answer.
package protocol AppReceiptQuestions: Sendable {
    /// Returns the questions to the App Store about a receipt.
    ///
    /// A pending receipt is asked about again, including everything that it would deliver by now.
    ///
    /// - Parameter verified: what the receipt's signature proves.
    func question(
        on receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws -> AppReceiptQuestion

    /// Records the App Store's answer about a receipt, in the same way as ``AppStoreNotifications`` records
    /// notifications: as facts, which neither claim nor transfer anything. The original transactions of the receipt are
    /// not asked about again for ``AppReceiptQuestion/answerLifetime``.
    func recordAnswer(
        _ facts: VerifiedReceipt, to receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws

    /// Delivers those transactions of a pending receipt that need no answer (all but ``AppReceiptQuestion/waiting``),
    /// while the App Store cannot be asked. The receipt is asked about again at `retry`, whatever was delivered.
    ///
    /// Idempotent: nothing is delivered twice. If the receipt was answered meanwhile, it keeps that answer.
    ///
    /// - Returns: the answer on the whole receipt if none of its transactions has to wait, else `pending`.
    func deliverMeanwhile(
        _ receipt: Receipt, _ verified: VerifiedReceipt, attempts: Attempts, until retry: Date,
        in context: RecordingContext
    ) async throws -> ReceiptAnswer
}
