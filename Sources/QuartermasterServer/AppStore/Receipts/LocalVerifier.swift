import AppStore
import Foundation
import InAppPurchase
import Ledger
import StoreClient

/// Verifies what the App Store signed, without asking it.
struct LocalVerifier: Sendable {
    let signedData: SignedDataVerifier
    let transactions: SignedTransactionVerifier
    let appReceipts: AppReceiptVerifier
    /// Whether app receipts are verified here; otherwise the App Store is asked about them.
    let verifiesAppReceipts: Bool

    /// - Parameter signedData: shared with everything else that verifies the App Store's signatures, so that each
    ///   certificate chain is verified once.
    init(_ signedData: SignedDataVerifier, anchors: TrustAnchors, verifiesAppReceipts: Bool, clock: StoreClock?) {
        self.signedData = signedData
        transactions = SignedTransactionVerifier(
            signedData: signedData, xcodeCertificates: anchors.xcodeCertificates)
        appReceipts = AppReceiptVerifier(anchors: anchors, clock: clock)
        self.verifiesAppReceipts = verifiesAppReceipts
    }

    /// Verifies a receipt. The result has what the bytes prove by themselves.
    ///
    /// - Parameter device: the device that the request names.
    /// - Throws: ``VerifierUnavailable`` if the receipt cannot be verified now.
    func result(
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
