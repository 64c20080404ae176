/// The session has ended and the stored recovery code opens no other. Nothing was lost: ask the player for the code.
/// Until somebody signs in, no further requests are sent; ``Quartermaster/resume()`` asks once whether the code works
/// by now.
public struct SignedOut: Error, Sendable {}
