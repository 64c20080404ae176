/// The device has no account yet.
public struct NoAccount: Error, Sendable {
    public init() {}
}
