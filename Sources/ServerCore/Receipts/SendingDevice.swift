package import Foundation

/// The device that sends a request, as the request describes it. Each member is compared only with its own kind of
/// receipt.
package struct SendingDevice: Sendable {
    /// Identifies the device that an app receipt must be made for.
    package var identifier: DeviceIdentifier?
    /// `AppStore.deviceVerificationID`; a signed transaction that does not match it is treated as if none was sent.
    package var verificationID: UUID?

    package init(identifier: DeviceIdentifier? = nil, verificationID: UUID? = nil) {
        self.identifier = identifier
        self.verificationID = verificationID
    }
}
