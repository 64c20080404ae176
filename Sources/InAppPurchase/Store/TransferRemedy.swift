/// A remedy for the app if another account owns a purchase (`remedy` in the API).
///
/// The cases are in the order in which they are checked, and the first that applies is reported. The later a case, the
/// sooner it leads to the purchase. Public because ``PresentedEvidence`` of a verified receipt names one.
public enum TransferRemedy: String, CaseIterable, Codable, Sendable {
    /// An administrator gave it to its owner, and only an administrator transfers it again.
    case support
    /// It stays with its owner: sign in to that account with its recovery code.
    case recoveryCode
    /// The evidence is not newer than the owner's: request a new receipt from the App Store, behind a tap.
    case freshReceipt
    /// Send `deviceVerificationID` along with the signed transaction.
    case deviceVerificationID
    /// Send `deviceIdentifier` along with the app receipt.
    case deviceIdentifier
    /// Ask the player, and send the receipt again with `mayTransfer`.
    case transfer
}

extension TransferRemedy: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
