/// The credentials that sign requests to an object store.
package struct ObjectCredentials: Sendable {
    package var accessKeyID: String
    package var secretAccessKey: String
    /// The token of temporary credentials; `nil` for permanent ones.
    package var sessionToken: String?

    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension ObjectCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the secret: descriptions are logged.
    package var description: String { "credentials" }
    package var debugDescription: String { description }
}
