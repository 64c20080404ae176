package import InAppPurchase
package import Foundation

/// Keeps what the App Store was asked about app receipts, and delivers from them what needs no answer.
package protocol AppReceiptQuestions: Sendable {
    /// What is to be asked about a receipt.
    ///
    /// A receipt that waits for an answer is asked about whatever it would give by now.
    ///
    /// - Parameter verified: what its signature vouches for.
    func question(
        on receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws -> AppReceiptQuestion

    /// Records what the App Store answered about a receipt, as ``AppStoreNotifications`` record what it tells by itself:
    /// facts, which claim and move nothing. The original transactions of the receipt are not asked about again for
    /// ``AppReceiptQuestion/answerLifetime``.
    func recordAnswer(
        _ facts: VerifiedReceipt, to receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws

    /// Delivers, while the App Store cannot be asked, what of a kept receipt does not wait
    /// (``AppReceiptQuestion/waiting``), and has it asked about again at `retry`, whatever was delivered.
    ///
    /// Any number of times; nothing is delivered twice. When the receipt was settled meanwhile, it stays so.
    ///
    /// - Returns: the answer on the whole receipt when nothing of it waits, else `pending`.
    func deliverMeanwhile(
        _ receipt: Receipt, _ verified: VerifiedReceipt, attempts: Attempts, until retry: Date,
        in context: RecordingContext
    ) async throws -> ReceiptAnswer
}
