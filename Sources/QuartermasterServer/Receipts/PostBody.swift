import InAppPurchase

/// A receipt, and what the app sends along with it.
struct PostBody: RequestBody {
    static let limits = BodyLimits.receipt

    var receipt: String
    var bundleID: BundleID?
    var deviceIdentifier: DeviceIdentifier?
    /// `AppStore.deviceVerificationID`; a string that is no UUID matches no transaction, and is not refused.
    var deviceVerificationID: String?
    var mayTransfer: Bool?

    var device: SendingDevice { SendingDevice(deviceIdentifier, deviceVerificationID) }
}
