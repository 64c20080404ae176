import Foundation
import InAppPurchase

/// A receipt whose form a store knows. Nothing is verified.
struct RecognizedReceipt: Sendable {
    let kind: Receipt.Kind
    /// See ``InAppPurchase/Receipt/digest``.
    let digest: Data
    /// See ``InAppPurchase/Receipt/textDigest``.
    let textDigest: Data?
}
