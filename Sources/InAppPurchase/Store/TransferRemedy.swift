/// What the app can do about a purchase that another account owns (`remedy` on the wire).
///
/// The cases stand in the order in which they are looked at: the first that applies is told. The later one stands, the
/// sooner it leads to the purchase.
public enum TransferRemedy: String, CaseIterable, Codable, Sendable {
    /// An administrator gave it to its owner, and only an administrator transfers it again.
    case support
    /// It stays with its owner: sign in to that account by its recovery code.
    case recoveryCode
    /// The evidence is not newer than what the owner has shown: ask the App Store for a new receipt, behind a tap.
    case freshReceipt
    /// Send `deviceVerificationID` along with the signed transaction.
    case deviceVerificationID
    /// Send `deviceIdentifier` along with the app receipt.
    case deviceIdentifier
    /// Ask the player, and send it again with `mayTransfer`.
    case transfer
}

extension TransferRemedy: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
