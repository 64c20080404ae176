import Foundation

/// What a request says of the device that sends it. Each is compared with its own kind of receipt only.
struct SendingDevice: Sendable {
    /// An app receipt must be made for it.
    var identifier: DeviceIdentifier?
    /// `AppStore.deviceVerificationID`; a signed transaction that does not fit it is as good as without.
    var verificationID: UUID?
}
