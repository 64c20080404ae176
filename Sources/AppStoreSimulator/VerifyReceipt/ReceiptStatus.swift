/// The values of `status` (Apple, "status").
enum ReceiptStatus {
    static let valid = 0
    /// The request was not a POST, or is not JSON.
    static let badRequest = 21_000
    static let malformed = 21_002
    static let notAuthenticated = 21_003
    /// The subscription has expired; only for iOS 6 style receipts.
    static let expired = 21_006
    static let isSandbox = 21_007
    static let isProduction = 21_008
}
