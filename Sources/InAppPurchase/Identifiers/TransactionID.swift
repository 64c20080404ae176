package import Foundation

/// The ID that a store gives a transaction. Apple's are decimal digits of up to 64 bits, stored as a string. Those of
/// Xcode, which start anew with each test, have the original purchase date in whole seconds behind them:
/// `0@1795830960`.
///
/// No ID of another store may ever consist of digits only, so that no two stores give two purchases the same ID.
public struct TransactionID: Identifier {
    public let text: String

    public init(stored text: String) { self.text = text }

    /// - Parameter date: of the original purchase.
    package init(_ id: TransactionID, ofXcodeAt date: Date) {
        text = "\(id)\(Self.mark)\(date.milliseconds / 1_000)"
    }

    /// The ID as the store states it.
    package var stated: TransactionID { TransactionID(stored: String(text.prefix { $0 != Self.mark })) }

    private static let mark: Character = "@"

    public static func == (first: Self, second: Self) -> Bool { first.text == second.text }

    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}
