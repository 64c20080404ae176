import AppStore
import Foundation
import InAppPurchase

extension ReceiptIntake {
    /// What the store cannot judge now gives access meanwhile, where the setting says so and the receipt's own signature
    /// is good. Transaction receipts and IDs have none.
    ///
    /// - Returns: until when; nil where it gives nothing, or the verifier has no time now.
    func openProvisionally(_ receipt: Receipt, for device: SendingDevice) async throws -> Date? {
        let context = decisions.context
        guard context.provisionalTime > 0, receipt.kind == .appReceipt || receipt.kind == .signedTransaction else {
            return nil
        }
        do {
            let verified = try await verifier.verdict(on: receipt, for: device, in: context).get()
            return try await ledger.openProvisionally(receipt, verified, in: context)
        } catch is ReceiptRejection {
            return nil
        } catch is VerifierUnavailable {
            return nil
        }
    }
}
