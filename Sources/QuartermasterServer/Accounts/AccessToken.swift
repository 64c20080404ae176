import Basics
import Crypto
import Foundation
import ServerHTTP

/// The secret that a session of an account authenticates with. The server stores its SHA-256 only.
struct AccessToken {
    static let bytes = 32

    var text: String

    init(_ random: RandomBytes) { text = Data(random(Self.bytes)).base64URL }

    static func digest(of text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }
}
