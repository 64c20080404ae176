import Basics
import Crypto
package import Foundation
package import ServerHTTP

/// The secret that a session of an account authenticates with. The server stores its SHA-256 only.
package struct AccessToken {
    package static let bytes = 32

    package var text: String

    package init(_ random: RandomBytes) { text = Data(random(Self.bytes)).base64URL }

    package static func digest(of text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }
}
