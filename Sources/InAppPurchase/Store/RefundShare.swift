/// The share of a purchase that was refunded, in thousandths of a percent (milliunits): `0` to `100_000`.
///
/// Source: `revocationPercentage` of JWSTransactionDecodedPayload.
public struct RefundShare: Hashable, Sendable {
    /// A refund of the whole price.
    public static let all = RefundShare(whole)

    /// The whole price, in thousandths of a percent.
    package static let whole = 100_000

    private let milliPercent: Int

    private init(_ milliPercent: Int) { self.milliPercent = milliPercent }

    /// - Parameter percentage: as the App Store states it; `nil`, and a value out of range, means the whole price.
    init(percentage: Int?) { self.init(percentage.flatMap { (0...Self.whole).contains($0) ? $0 : nil } ?? Self.whole) }

    /// The share in whole percents, rounded down.
    package var wholePercents: Int { milliPercent / 1_000 }

    /// Whether the whole price was refunded.
    public var isAll: Bool { milliPercent == Self.whole }

    /// The share of an amount, rounded to the nearest whole number, halves in the player's favour: 33,333 of 30 is 10,
    /// half of 5 is 2.
    ///
    /// - Parameter amount: 0 or more; a negative amount gives 0.
    public func of(_ amount: Int) -> Int {
        let (hundredPercents, rest) = max(0, amount).quotientAndRemainder(dividingBy: Self.whole)
        // Neither product can overflow: the first is at most the amount, the second at most 10^10.
        let deducted = (2 * rest * milliPercent + Self.whole - 1) / (2 * Self.whole)
        return hundredPercents * milliPercent + deducted
    }

    /// The number of units that are not refunded, rounded up to whole units.
    ///
    /// - Parameter quantity: 0 or more.
    public func unitsLeft(of quantity: Int) -> Int {
        let (hundredPercents, rest) = max(0, quantity).quotientAndRemainder(dividingBy: Self.whole)
        let left = Self.whole - milliPercent
        return hundredPercents * left + (rest * left + Self.whole - 1) / Self.whole
    }
}
