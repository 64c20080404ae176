/// A standing that begins empty and to which purchases are added one after the other, as those of the standard handlers
/// are.
public protocol AdditiveStanding {
    /// The handler whose standing it is.
    associatedtype Terms: Sendable

    /// The standing of a history without purchases.
    init()

    /// Whether a purchase can be added to a stored standing; if not, it is recomputed from all purchases. By default
    /// any can. Not asked for those of a whole history, which are added oldest first.
    func canAdd(_ purchase: Purchase<Terms>) -> Bool

    /// Adds a purchase, which may be revoked.
    mutating func add(_ purchase: Purchase<Terms>)
}

extension AdditiveStanding {
    /// The default: purchases can be added in any order.
    public func canAdd(_ purchase: Purchase<Terms>) -> Bool { true }
}

extension CondensingHandler where Standing: AdditiveStanding, Standing.Terms == Self {
    /// The default: all purchases are added, oldest first.
    public static func standing(of history: PurchaseHistory<Self>) -> Standing {
        var standing = Standing()
        for purchase in history.purchases { standing.add(purchase) }
        return standing
    }

    /// The default: the purchase is added if it can be, and what need not be stored is left out.
    public static func standing(_ standing: Standing, adding purchase: Purchase<Self>) -> Standing? {
        guard standing.canAdd(purchase) else { return nil }
        var standing = standing
        standing.add(purchase)
        return condensed(standing)
    }
}
