import InAppPurchase
import StrictJSON

extension TransactionPayload {
    /// Reads the members as `Decodable` does, each once: a decoder's containers were most of the cost of reading them.
    ///
    /// - Throws: `malformed`; `unsupported` for a member of another type that decides something.
    init(_ object: JSONPart) throws(ReceiptRejection) {
        let members = SignedMembers(object)
        transactionId = try SignedMembers.required(members.id("transactionId"))
        originalTransactionId = try SignedMembers.required(members.id("originalTransactionId"))
        bundleId = BundleID(stored: try SignedMembers.required(members.string("bundleId")))
        productId = ProductID(stored: try SignedMembers.required(members.string("productId")))
        type = try members.string("type")
        quantity = try members.integer("quantity")
        purchaseDate = try SignedMembers.required(members.date("purchaseDate"))
        originalPurchaseDate = members.lenient("originalPurchaseDate") {
            $0.integer().flatMap(AppStoreDate.init(milliseconds:))
        }
        expiresDate = try members.date("expiresDate")
        isUpgraded = try members.bool("isUpgraded")
        inAppOwnershipType = try members.string("inAppOwnershipType")
        appAccountToken = members.lenientString("appAccountToken")
        subscriptionGroupIdentifier = members.lenientString("subscriptionGroupIdentifier")
        signedDate = try SignedMembers.required(members.date("signedDate"))
        environment = try members.string("environment")
        try readRevocation(members)
        readDetails(members)
    }

    private mutating func readRevocation(_ members: SignedMembers) throws(ReceiptRejection) {
        revocationDate = try members.date("revocationDate")
        revocationReason = members.lenient("revocationReason") { $0.integer() }
        revocationPercentage = try members.number("revocationPercentage")
        revocationType = members.lenientString("revocationType")
    }

    private mutating func readDetails(_ members: SignedMembers) {
        price = members.lenientNumber("price")
        currency = members.lenientString("currency")
        storefront = members.lenientString("storefront")
        storefrontId = members.lenientString("storefrontId")
        offerType = members.lenientNumber("offerType")
        offerIdentifier = members.lenientString("offerIdentifier")
        offerDiscountType = members.lenientString("offerDiscountType")
        offerPeriod = members.lenientString("offerPeriod")
        transactionReason = members.lenientString("transactionReason")
        webOrderLineItemId = members.lenientString("webOrderLineItemId")
        appTransactionId = members.lenientString("appTransactionId")
        additionalTransactionReason = members.lenientString("additionalTransactionReason")
        multiSeatInfo = members.lenient("multiSeatInfo") { MultiSeatInfo($0) }
        billingPlanType = members.lenientString("billingPlanType")
        commitmentInfo = members.lenient("commitmentInfo") { CommitmentInfo($0) }
    }
}

extension TransactionPayload.MultiSeatInfo {
    /// `nil` if it is no object.
    fileprivate init?(_ part: JSONPart) {
        guard part.kind == .object else { return nil }
        let members = SignedMembers(part)
        invitationManagement = members.lenientString("invitationManagement")
        revokedSeatQuantity = members.lenient("revokedSeatQuantity") { $0.integer() }
    }
}

extension TransactionPayload.CommitmentInfo {
    /// `nil` if it is no object.
    fileprivate init?(_ part: JSONPart) {
        guard part.kind == .object else { return nil }
        let members = SignedMembers(part)
        billingPeriodNumber = members.lenient("billingPeriodNumber") { $0.integer() }
        totalBillingPeriods = members.lenient("totalBillingPeriods") { $0.integer() }
        commitmentPrice = members.lenient("commitmentPrice") { $0.integer() }
        commitmentExpiresDate = members.lenient("commitmentExpiresDate") {
            $0.integer().flatMap(AppStoreDate.init(milliseconds:))
        }
    }
}
