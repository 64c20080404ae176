import InAppPurchase
import ServerCore

extension DenialReason {
    /// The reason in words that support can pass on; a custom handler's reason by its name.
    var words: String {
        switch self {
        case .expired: "the paid time has ended"
        case .revoked: "the purchase was refunded, or Family Sharing ended"
        case .upgraded: "another product of the group replaced it"
        case .notStarted: "it is paid for, and begins later"
        case .billingRetry: "the App Store cannot charge the customer at the moment"
        case .consumed: "it gives credits only, and they were given"
        case .sandbox: "a sandbox purchase, which counts for testers only"
        case .unknownProduct: "the catalog has no such product"
        case .typeMismatch: "the catalog has the product with another type than the App Store"
        case .ownershipType: "it was neither bought nor shared by the family"
        case .ownedByAnotherAccount: "the purchase belongs to another account"
        case .transferred: "the purchase was transferred to another account"
        default: rawValue
        }
    }
}
