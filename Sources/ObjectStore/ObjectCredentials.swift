/// What requests to an object store are signed with.
package struct ObjectCredentials: Sendable {
    package var accessKeyID: String
    package var secretAccessKey: String
    /// Of temporary credentials; nil for lasting ones.
    package var sessionToken: String?

    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension ObjectCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the secret: descriptions end in logs.
    package var description: String { "credentials" }
    package var debugDescription: String { description }
}
