import Foundation
import InAppPurchase

@testable import AppStore

/// The fields that are stored, by Apple's names, as text: what was read of the data of others is compared with it.
enum ReadFields {
    static func transaction(_ read: Transaction) -> [String: String?] {
        let details = read.details
        return [
            "transactionId": read.id.text, "originalTransactionId": read.originalID.text, "bundleId": read.app.text,
            "productId": read.productID.text, "subscriptionGroupIdentifier": read.subscriptionGroupID,
            "purchaseDate": text(read.purchaseDate), "originalPurchaseDate": read.originalPurchaseDate.map(text),
            "expiresDate": read.expirationDate.map(text), "quantity": "\(read.quantity)",
            "type": read.productType?.rawValue, "appAccountToken": read.appAccountToken?.uuidString,
            "inAppOwnershipType": read.ownershipType.rawValue, "signedDate": text(read.signedDate),
            "revocationDate": (read.revocation?.date).map(text),
            "revocationReason": number(read.revocationDetails?.reason),
            "revocationType": read.revocationDetails?.type,
            "revocationPercentage": number(read.revocation?.percentage), "isUpgraded": "\(read.isUpgraded)",
            "offerType": number(details?.offer?.type), "offerIdentifier": details?.offer?.id,
            "offerDiscountType": details?.offer?.discountType, "offerPeriod": details?.offer?.period,
            "environment": read.environment.rawValue, "transactionReason": details?.reason,
            "storefront": details?.storefront, "storefrontId": details?.storefrontID,
            "price": number(details?.price), "currency": details?.currency,
            "appTransactionId": details?.appTransactionID, "webOrderLineItemId": details?.webOrderLineItemID,
            "billingPlanType": details?.billingPlan, "commitmentInfo": details?.commitment.map { _ in "" },
            "additionalTransactionReason": details?.additionalReason, "multiSeatInfo": details?.seats.map { _ in "" },
        ]
    }

    static func renewal(_ read: RenewalFacts) -> [String: String?] {
        let details = read.details
        return [
            "autoRenewProductId": read.autoRenewProductID?.text,
            "autoRenewStatus": read.willAutoRenew.map { $0 ? "1" : "0" },
            "renewalDate": (details?.renewalDate).map(text), "renewalPrice": number(details?.price),
            "currency": details?.currency, "isInBillingRetryPeriod": "\(read.isInBillingRetry)",
            "gracePeriodExpiresDate": read.gracePeriodExpirationDate.map(text),
            "expirationIntent": number(read.expirationReason),
            "priceIncreaseStatus": number(details?.priceIncreaseStatus),
            "offerType": number(details?.offer?.type), "offerIdentifier": details?.offer?.id,
            "offerDiscountType": details?.offer?.discountType, "offerPeriod": details?.offer?.period,
            "eligibleWinBackOfferIds": details?.winBackOfferIDs?.joined(separator: ","),
            "recentSubscriptionStartDate": (details?.recentStartDate).map(text), "signedDate": text(read.signedDate),
            "renewalBillingPlanType": details?.billingPlan, "commitmentInfo": details?.commitment.map { _ in "" },
            "renewalQuantity": number(details?.quantity), "multiSeatInfo": details?.priceTiers.map { _ in "" },
        ]
    }

    /// A purchase in an app receipt, by the names that the vectors' descriptions have for the attributes.
    static func purchase(_ read: Transaction) -> [String: String?] {
        [
            "bundle_id": read.app.text, "receipt_creation_date": text(read.signedDate),
            "application_version": read.details?.appVersion,
            "original_application_version": read.details?.originalAppVersion, "quantity": "\(read.quantity)",
            "product_id": read.productID.text, "transaction_id": read.id.text,
            "original_transaction_id": read.originalID.text, "purchase_date": text(read.purchaseDate),
            "original_purchase_date": read.originalPurchaseDate.map(text),
            "expires_date": read.expirationDate.map(text), "cancellation_date": (read.revocation?.date).map(text),
            "web_order_line_item_id": read.details?.webOrderLineItemID,
            "is_trial_period?": read.details?.isTrialPeriod.map { $0 ? "1" : "0" },
            "is_in_intro_offer_period": read.details?.isIntroductoryPeriod.map { $0 ? "1" : "0" },
        ]
    }

    /// The attributes that the descriptions name and that are not stored; those for which they have only numbers have
    /// no meaning that Apple documents.
    static let purchaseNotKept: Set = ["product_type?"]

    /// A member of a payload as the text with which a field is compared.
    static func text(_ value: JSONValue, of name: String) -> String {
        switch value {
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        // Xcode's dates have fractions of milliseconds.
        case .number(let number): "\(Int(exactly: number.rounded()) ?? 0)"
        // A product's type has a short name of the catalog.
        case .string(let text): name == "type" ? text.lowercased().replacing(" subscription", with: "") : text
        case .array(let values): values.map { text($0, of: name) }.joined(separator: ",")
        case .null, .object: ""
        }
    }

    private static func text(_ date: Date) -> String { "\(date.milliseconds)" }

    private static func number(_ value: Int?) -> String? { value.map { "\($0)" } }
}
