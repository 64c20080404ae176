import Crypto
import Foundation
import InAppPurchase

/// What proves to be an account's device. Known to the server by its SHA-256 only.
struct AccessToken {
    static let bytes = 32

    var text: String

    init(_ random: RandomBytes) {
        text = Data(random(Self.bytes)).base64URL
    }

    static func digest(of text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }
}
