/// What the records say of a purchase.
package struct ConsumptionReport: Hashable, Sendable {
    /// It was handed over to the account.
    package var isDelivered: Bool
    /// How much of it is used up, in thousandths of a percent; nil where nothing can be: access is not counted.
    package var consumedMilliPercent: Int?

    package init(isDelivered: Bool, consumedMilliPercent: Int?) {
        self.isDelivered = isDelivered
        self.consumedMilliPercent = consumedMilliPercent
    }
}
