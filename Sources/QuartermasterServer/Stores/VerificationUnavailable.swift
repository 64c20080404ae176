/// Thrown if this server cannot verify a receipt or a notification now, since too many wait for it.
///
/// It says nothing about them: they are to be sent again.
struct VerificationUnavailable: Error, Hashable {}
