/// The session has ended and the stored recovery code opens no other. Nothing was lost: ask the player for the code. Until
/// somebody signs in, nothing more is asked for; ``Quartermaster/resume()`` asks once whether the code is good by now.
public struct SignedOut: Error, Sendable {}
