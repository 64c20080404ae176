import InAppPurchase

/// An identifier as the App Store's JSON has it: a string of 1 to 20 decimal digits.
struct AppStoreID: Decodable {
    var text: TransactionID

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard text.isStoreID else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not decimal digits")
        }
    }
}
