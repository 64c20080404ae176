import InAppPurchase

/// An identifier as the App Store's JSON has it: a string of 1 to 20 decimal digits.
struct AppStoreID: Decodable {
    var id: TransactionID

    /// `nil` for any other string.
    init?(text: String) {
        guard text.isStoreID else { return nil }
        id = TransactionID(stored: text)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        id = try container.decode(TransactionID.self)
        guard id.text.isStoreID else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not decimal digits")
        }
    }
}
