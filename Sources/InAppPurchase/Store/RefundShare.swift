/// The share of a purchase that a refund takes, in thousandths of a percent (milliunits): 0 to 100,000.
///
/// Source: `revocationPercentage` of JWSTransactionDecodedPayload.
public struct RefundShare: Hashable, Sendable {
    /// A refund of the whole price.
    public static let all = RefundShare(whole)

    private static let whole = 100_000

    private let milliPercent: Int

    private init(_ milliPercent: Int) { self.milliPercent = milliPercent }

    /// - Parameter percentage: as the App Store states it; nil, and what is no share, is all.
    init(percentage: Int?) {
        self.init(percentage.flatMap { (0...Self.whole).contains($0) ? $0 : nil } ?? Self.whole)
    }

    public var isAll: Bool { milliPercent == Self.whole }

    /// The share of an amount, rounded to the nearest whole number, halves towards the player: 33,333 of 30 are 10, a
    /// half of 5 is 2.
    ///
    /// - Parameter amount: 0 or more; of less nothing is taken.
    public func of(_ amount: Int) -> Int {
        let (hundredPercents, rest) = max(0, amount).quotientAndRemainder(dividingBy: Self.whole)
        // Neither product can overflow: the one is at most the amount, the other at most 10^10.
        let taken = (2 * rest * milliPercent + Self.whole - 1) / (2 * Self.whole)
        return hundredPercents * milliPercent + taken
    }

    /// How many units of a quantity stand: what is left, rounded up to whole units.
    ///
    /// - Parameter quantity: 0 or more.
    public func unitsLeft(of quantity: Int) -> Int {
        let (hundredPercents, rest) = max(0, quantity).quotientAndRemainder(dividingBy: Self.whole)
        let left = Self.whole - milliPercent
        return hundredPercents * left + (rest * left + Self.whole - 1) / Self.whole
    }
}
