struct RenewalExtensionResponse: Decodable, Sendable {
    var originalTransactionId: AppStoreID
    var webOrderLineItemId: String?
    var success: Bool
    var effectiveDate: AppStoreDate?
}
