package import StoreClient

/// Thrown if this server cannot verify a receipt or a notification now, since too many wait for it, or its clock is
/// behind.
///
/// It says nothing about them: they are to be sent again.
package struct VerificationUnavailable: Error, Hashable {
    /// The trouble, if it is that this machine's clock has not reached the date of signing of what is genuine
    /// otherwise; `nil` if too many wait.
    package var clockTrouble: Unavailability?

    package init(clockTrouble: Unavailability? = nil) {
        self.clockTrouble = clockTrouble
    }
}
