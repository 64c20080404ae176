/// The consumption of a purchase, as recorded.
package struct ConsumptionReport: Hashable, Sendable {
    /// Whether it was delivered to the account.
    package var isDelivered: Bool
    /// The consumed part in thousandths of a percent; `nil` if it cannot be measured: only credits are counted, not
    /// access.
    package var consumedMilliPercent: Int?

    package init(isDelivered: Bool, consumedMilliPercent: Int?) {
        self.isDelivered = isDelivered
        self.consumedMilliPercent = consumedMilliPercent
    }
}
