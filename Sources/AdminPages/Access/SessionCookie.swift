import Basics
import Crypto
import Foundation
import HTTPTypes
package import Hummingbird
import ServerCore
import ServerHTTP

/// The cookie of a session in the pages. Its prefix makes browsers refuse it from other hosts and without `Secure`.
package enum SessionCookie {
    package static let name = "__Host-qm_admin"
    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

    /// The value of `Set-Cookie` that signs in.
    package static func setting(_ secret: String) -> String { "\(name)=\(secret); \(attributes)" }

    /// The value of `Set-Cookie` that signs out.
    package static let ending = "\(name)=; Max-Age=0; \(attributes)"

    /// The secret that a request came with; `nil` if it has none.
    package static func secret(_ request: Request) -> String? { value(of: name, in: request) }

    /// The value of the one cookie of this name that a request came with.
    static func value(of name: String, in request: Request) -> String? {
        let pairs = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        let values = pairs.map { String($0).trimmed }.filter { $0.hasPrefix(name + "=") }
        return values.count == 1 ? values.first.map { String($0.dropFirst(name.count + 1)) } : nil
    }

    /// The token in the forms of the session, which a page of another site does not know.
    static func formToken(_ secret: String) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: formPurpose, using: key(secret))).base64URL
    }

    /// Whether it is the session's form token, compared in constant time.
    static func isFormToken(_ text: String, of secret: String) -> Bool {
        Data(base64URL: text.utf8).map {
            HMAC<SHA256>.isValidAuthenticationCode($0, authenticating: formPurpose, using: key(secret))
        } ?? false
    }

    /// The message that the form token authenticates.
    private static let formPurpose = Data("quartermaster admin form".utf8)

    private static func key(_ secret: String) -> SymmetricKey { SymmetricKey(data: Data(secret.utf8)) }
}
