/// Formats prices.
package enum Money {
    /// Thousandths as a decimal with two places, or three where they are needed: 12990 as `12.99`.
    package static func text(_ thousandths: Int) -> String {
        let decimal = decimal(thousandths)
        return decimal.hasSuffix("0") ? String(decimal.dropLast()) : decimal
    }

    /// Thousandths as a decimal with three places: 12990 as `12.990`.
    static func decimal(_ thousandths: Int) -> String {
        let (whole, rest) = max(0, thousandths).quotientAndRemainder(dividingBy: 1_000)
        return "\(whole)." + String(String(rest + 1_000).dropFirst())
    }
}
