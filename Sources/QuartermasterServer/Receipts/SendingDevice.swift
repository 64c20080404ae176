import Foundation

/// The device that sends a request, as the request describes it. Each member is compared only with its own kind of
/// receipt.
struct SendingDevice: Sendable {
    /// Identifies the device that an app receipt must be made for.
    var identifier: DeviceIdentifier?
    /// `AppStore.deviceVerificationID`; a signed transaction that does not match it is treated as if none was sent.
    var verificationID: UUID?
}
