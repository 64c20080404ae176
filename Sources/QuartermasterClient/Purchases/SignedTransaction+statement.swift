import Foundation

extension SignedTransaction {
    /// Whether both state the same about the same purchase.
    ///
    /// A store signs a transaction again each time it hands it over, so that two copies of one state differ in
    /// `signedDate` and in the signature (https://developer.apple.com/documentation/appstoreserverapi/signeddate). A
    /// refund, for example, is another state.
    func statesTheSame(as other: Self) -> Bool {
        if self == other { return true }
        guard id == other.id, let statement, let others = other.statement else { return false }
        return statement == others
    }

    /// The payload without `signedDate`; `nil` if the string is no JWS in compact serialization.
    private var statement: [String: JSONValue]? {
        guard let payload = Self.payload(of: jws),
            var members = try? JSONDecoder().decode([String: JSONValue].self, from: payload)
        else { return nil }
        members["signedDate"] = nil
        return members
    }

    /// The payload of a JWS, which nobody has verified; `nil` if the string is none in compact serialization.
    static func payload(of jws: String) -> Data? {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 ? Data(base64URL: parts[1]) : nil
    }
}
