/// The session has ended and the stored recovery code opens no other. Nothing was lost: ask the player for the code.
public struct SignedOut: Error, Sendable {}
