import AppStore
import Foundation
import InAppPurchase

/// Judges what the store signed, without asking it.
struct LocalVerifier: Sendable {
    let signedData: SignedDataVerifier
    let transactions: SignedTransactionVerifier
    let appReceipts: AppReceiptVerifier
    /// Else the store is asked about app receipts.
    let judgesAppReceipts: Bool

    /// - Parameter signedData: shared with whoever else verifies what the store signs, so that its signers are verified
    ///   once for all.
    init(_ signedData: SignedDataVerifier, anchors: TrustAnchors, judgesAppReceipts: Bool) {
        self.signedData = signedData
        transactions = SignedTransactionVerifier(
            signedData: signedData, xcodeCertificates: anchors.xcodeCertificates)
        appReceipts = AppReceiptVerifier(anchors: anchors)
        self.judgesAppReceipts = judgesAppReceipts
    }

    /// The verdict, with what the bytes prove by themselves.
    ///
    /// - Parameter device: what the client named.
    /// - Throws: ``VerifierUnavailable``: there is no verdict now.
    func verdict(
        on receipt: Receipt, for device: SendingDevice = SendingDevice(), in context: RecordingContext
    ) async throws -> Result<VerifiedReceipt, ReceiptRejection> {
        do {
            guard receipt.kind == .appReceipt else { return .success(try await transaction(receipt, device, context)) }
            let identifier = device.identifier?.bytes
            let answer = try await appReceipts.verify(receipt.content, device: identifier, at: context.date) {
                answer throws(ReceiptRejection) in
                try answer.check(against: context.catalog, expecting: receipt.bundleID)
            }
            return .success(answer.receipt)
        } catch let rejection as ReceiptRejection {
            return .failure(rejection)
        }
    }

    private func transaction(
        _ receipt: Receipt, _ device: SendingDevice, _ context: RecordingContext
    ) async throws -> VerifiedReceipt {
        try await transactions.receipt(
            receipt.content, catalog: context.catalog, expecting: receipt.bundleID,
            for: device.verificationID, at: context.date
        ).receipt
    }
}
