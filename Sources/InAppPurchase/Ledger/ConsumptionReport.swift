/// What the records say of a purchase.
public struct ConsumptionReport: Hashable, Sendable {
    /// It was handed over to the account.
    public var isDelivered: Bool
    /// How much of it is used up, in thousandths of a percent; nil where nothing can be: access is not counted.
    public var consumedMilliPercent: Int?

    public init(isDelivered: Bool, consumedMilliPercent: Int?) {
        self.isDelivered = isDelivered
        self.consumedMilliPercent = consumedMilliPercent
    }
}
