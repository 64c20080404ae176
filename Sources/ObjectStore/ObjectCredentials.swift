/// What requests to an object store are signed with.
public struct ObjectCredentials: Sendable {
    public var accessKeyID: String
    public var secretAccessKey: String
    /// Of temporary credentials; nil for lasting ones.
    public var sessionToken: String?

    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        (self.accessKeyID, self.secretAccessKey, self.sessionToken) = (accessKeyID, secretAccessKey, sessionToken)
    }
}

extension ObjectCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the secret: descriptions end in logs.
    public var description: String { "credentials" }
    public var debugDescription: String { description }
}
