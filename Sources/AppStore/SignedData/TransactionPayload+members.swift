import Basics
import InAppPurchase

extension TransactionPayload {
    /// Reads the members as `Decodable` does, each once: a decoder's containers were most of the cost of reading them.
    ///
    /// - Throws: `malformed`
    init(_ object: JSONPart) throws(ReceiptRejection) {
        let members = SignedMembers(object)
        try members.requireNumbers(
            "billingPeriodNumber", "commitmentExpiresDate", "commitmentPrice", "totalBillingPeriods",
            in: "commitmentInfo")
        try members.requireNumbers("estimatedTax", "taxExclusivePrice", in: "advancedCommerceInfo")
        transactionId = try SignedMembers.required(members.id("transactionId"))
        originalTransactionId = try SignedMembers.required(members.id("originalTransactionId"))
        bundleId = BundleID(stored: try SignedMembers.required(members.string("bundleId")))
        productId = ProductID(stored: try SignedMembers.required(members.string("productId")))
        type = try members.string("type")
        quantity = try members.integer("quantity")
        purchaseDate = try SignedMembers.required(members.date("purchaseDate"))
        originalPurchaseDate = try members.date("originalPurchaseDate")
        expiresDate = try members.date("expiresDate")
        isUpgraded = try members.bool("isUpgraded")
        inAppOwnershipType = try members.string("inAppOwnershipType")
        appAccountToken = try members.string("appAccountToken")
        subscriptionGroupIdentifier = try members.string("subscriptionGroupIdentifier")
        signedDate = try SignedMembers.required(members.date("signedDate"))
        environment = try members.string("environment")
        try readRevocation(members)
        try readDetails(members)
    }

    private mutating func readRevocation(_ members: SignedMembers) throws(ReceiptRejection) {
        revocationDate = try members.date("revocationDate")
        revocationReason = try members.integer("revocationReason")
        revocationPercentage = try members.number("revocationPercentage")
        revocationType = Lenient(members.lenientString("revocationType"))
    }

    private mutating func readDetails(_ members: SignedMembers) throws(ReceiptRejection) {
        price = try members.number("price")
        currency = Lenient(members.lenientString("currency"))
        storefront = Lenient(members.lenientString("storefront"))
        storefrontId = Lenient(members.lenientString("storefrontId"))
        offerType = try members.number("offerType")
        offerIdentifier = Lenient(members.lenientString("offerIdentifier"))
        offerDiscountType = Lenient(members.lenientString("offerDiscountType"))
        offerPeriod = Lenient(members.lenientString("offerPeriod"))
        transactionReason = Lenient(members.lenientString("transactionReason"))
        webOrderLineItemId = Lenient(members.lenientString("webOrderLineItemId"))
        appTransactionId = Lenient(members.lenientString("appTransactionId"))
    }
}
