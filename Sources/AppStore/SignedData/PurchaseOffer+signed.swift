import InAppPurchase

extension PurchaseOffer {
    /// The offer that a signed payload names by Apple's four members; `nil` if it names none.
    ///
    /// - Parameter type: of Apple's type; one that is no whole number is ignored.
    init?(type: Double?, id: Lenient<String>?, discountType: Lenient<String>?, period: Lenient<String>?) {
        let offer = PurchaseOffer(
            type: type.flatMap(Int.init(exactly:)), id: id?.value, discountType: discountType?.value,
            period: period?.value)
        guard let offer = offer.nonEmpty else { return nil }
        self = offer
    }
}
