import Foundation
import InAppPurchase
import Ledger

extension ReceiptIntake {
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
