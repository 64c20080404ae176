import InAppPurchase

/// The placement that was asked for, as apps get it.
struct PlacementBody: Encodable {
    var name: String
    var metadata: [String: JSONValue]
}
