/// The body of `POST /v1/restore`.
struct RestoreRequest: Sendable, Encodable {
    /// The maximum number of receipts that the server accepts in one request.
    static let maximumReceipts = 100

    var receipts: [String]
    var bundleID: String
    var environment: StoreEnvironment?
    var mayTransfer: Bool
    var deviceVerificationID: String?
}
