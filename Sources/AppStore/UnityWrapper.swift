import Foundation
public import InAppPurchase

extension Receipt {
    /// The receipt in what Unity's purchasing wraps around it, or the text itself where that is no wrapper.
    ///
    /// A wrapper is a JSON object with `Store` and `Payload`. The payload is a receipt, or the text of a JSON object of
    /// which a member is signed by the store (StoreKit 2). It is unwrapped once: a wrapper in a wrapper is no receipt.
    public static func unwrapped(_ content: String) -> String {
        struct Wrapper: Decodable {
            private enum CodingKeys: String, CodingKey {
                case store = "Store"
                case payload = "Payload"
            }

            var store: String
            var payload: String
        }
        guard content.utf8.count <= maximumSize, content.looksLikeObject,
            let wrapper = try? JSONDecoder().decode(Wrapper.self, from: Data(content.utf8))
        else { return content }
        return wrapper.payload.signedMember ?? wrapper.payload
    }
}

extension String {
    fileprivate var looksLikeObject: Bool {
        utf8.first { !Receipt.Kind.whitespace.contains($0) } == UInt8(ascii: "{")
    }

    /// The signed transaction in the text of a JSON object. Of several members the first by name.
    fileprivate var signedMember: String? {
        guard looksLikeObject, let members = try? JSONDecoder().decode([String: Member].self, from: Data(utf8)) else {
            return nil
        }
        return members.sorted { $0.key < $1.key }.lazy.compactMap(\.value.text)
            .first { Receipt.Kind(of: $0) == .signedTransaction }
    }
}

private struct Member: Decodable {
    /// Nil for what is no text; whatever that holds is not looked into.
    var text: String?

    init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
}
