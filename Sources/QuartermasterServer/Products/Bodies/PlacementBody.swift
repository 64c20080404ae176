import InAppPurchase

/// The placement that was asked for, as apps are told.
struct PlacementBody: Encodable {
    var name: String
    var metadata: [String: JSONValue]
}
