import InAppPurchase

/// The way in which a receipt is decided about. Each case has the receipt with what the store found in it.
enum ReceiptPlan: Sendable {
    /// This server verifies it.
    case verify(Receipt)
    /// It is recorded as pending, and the store is asked.
    case ask(Receipt)
    /// It is rejected without asking the store.
    case reject(Receipt, ReceiptRejection)
}
