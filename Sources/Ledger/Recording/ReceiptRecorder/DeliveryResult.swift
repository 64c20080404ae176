import InAppPurchase

/// The state of an account after a delivery, and the deliveries that were recorded before.
struct DeliveryResult {
    var state: AccountAnswers
    var earlier: [Transaction.Key: Delivery.Cause]
}
