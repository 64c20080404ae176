package import AppStore
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP
import StoreClient

/// Verifies what the App Store signed, without asking it.
package struct LocalVerifier: Sendable {
    let signedData: SignedDataVerifier
    let transactions: SignedTransactionVerifier
    package let appReceipts: AppReceiptVerifier
    /// Whether app receipts are verified here; otherwise the App Store is asked about them.
    let verifiesAppReceipts: Bool

    /// - Parameter signedData: shared with everything else that verifies the App Store's signatures, so that each
    ///   certificate chain is verified once.
    init(_ signedData: SignedDataVerifier, anchors: TrustAnchors, verifiesAppReceipts: Bool, clock: StoreClock?) {
        self.signedData = signedData
        transactions = SignedTransactionVerifier(signedData: signedData, xcodeCertificates: anchors.xcodeCertificates)
        appReceipts = AppReceiptVerifier(anchors: anchors, clock: clock)
        self.verifiesAppReceipts = verifiesAppReceipts
    }

    /// The App Store's signers that were verified, of signed data and of app receipts.
    var signers: Set<SignerCertificates> { Set(signedData.signers + appReceipts.signers) }

    /// Expects messages of a signer that an earlier process verified; each verifier takes those with its kind of key.
    func expect(_ signer: SignerCertificates) {
        signedData.expect(signer)
        appReceipts.expect(signer)
    }

    /// Verifies a receipt. The result has what the bytes prove by themselves.
    ///
    /// - Parameter device: the device that the request names.
    /// - Throws: ``/AppStore/VerifierUnavailable`` if the receipt cannot be verified now.
    func result(
        on receipt: Receipt, for device: SendingDevice = SendingDevice(), in context: RecordingContext
    ) async throws -> Result<VerifiedReceipt, ReceiptRejection> {
        do {
            return .success(
                receipt.kind == .appReceipt
                    ? try await appReceipt(receipt, device, context)
                    : try await transaction(receipt, device, context))
        } catch let rejection as ReceiptRejection {
            return .failure(rejection)
        }
    }

    private func appReceipt(
        _ receipt: Receipt, _ device: SendingDevice, _ context: RecordingContext
    ) async throws -> VerifiedReceipt {
        try await appReceipts.verify(receipt.content, device: device.identifier?.bytes, at: context.date) {
            answer throws(ReceiptRejection) in try answer.check(against: context.catalog, expecting: receipt.bundleID)
        }.receipt
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
