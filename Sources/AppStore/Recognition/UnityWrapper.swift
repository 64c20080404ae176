import Foundation
public import InAppPurchase
import StrictJSON

extension Receipt {
    /// The receipt in the wrapper of Unity's purchasing; `content` itself if it is not wrapped.
    ///
    /// A wrapper is a JSON object with `Store` and `Payload`. The payload is a receipt, or a string with a JSON object
    /// that has a member signed by the App Store (StoreKit 2). Only one wrapper is removed: a wrapper in a wrapper is
    /// not a receipt.
    public static func unwrapped(_ content: String) -> String {
        guard content.utf8.count <= maximumSize, let wrapper = content.object, wrapper["Store"]?.string != nil,
            let payload = wrapper["Payload"]?.string
        else { return content }
        return payload.signedMember ?? payload
    }
}

extension String {
    /// The JSON object in the string; `nil` if it holds anything else.
    fileprivate var object: JSONPart? {
        guard utf8.first(where: { !Receipt.Kind.whitespace.contains($0) }) == UInt8(ascii: "{") else { return nil }
        return (try? StrictJSON(Data(utf8), .unityWrapper, tolerance: .known))?.root
    }

    /// The signed transaction in the JSON object that the string holds; of several members the first by name.
    fileprivate var signedMember: String? {
        let members = (object?.members ?? []).compactMap { member in
            member.name.string.flatMap { name in member.value.string.map { (name, $0) } }
        }
        return members.sorted { $0.0 < $1.0 }.first { Receipt.Kind(of: $0.1) == .signedTransaction }?.1
    }
}
