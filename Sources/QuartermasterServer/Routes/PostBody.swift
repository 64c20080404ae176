import InAppPurchase

/// A receipt, and what the app knows of it.
struct PostBody: RequestBody {
    static let limits = BodyLimits.receipt

    var receipt: String
    var bundleID: BundleID?
    var deviceIdentifier: DeviceIdentifier?
    /// Text that is no UUID fits no transaction, which is no mistake.
    var deviceVerificationID: String?
    var mayTransfer: Bool?

    var device: SendingDevice { SendingDevice(deviceIdentifier, deviceVerificationID) }
}
