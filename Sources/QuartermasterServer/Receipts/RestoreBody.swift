import InAppPurchase

/// The receipts that a device has.
struct RestoreBody: RequestBody {
    static let limits = BodyLimits.restore

    var receipts: [String]?
    var bundleID: BundleID?
    /// The environment whose balances are meant; `nil` for Production.
    var environment: String?
    var deviceIdentifier: DeviceIdentifier?
    var deviceVerificationID: String?
    var mayTransfer: Bool?

    var device: SendingDevice { SendingDevice(deviceIdentifier, deviceVerificationID) }
}
