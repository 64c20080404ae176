import Foundation
package import StrictJSON

extension Transaction {
    /// Writes the transaction as the ledger stores it: the members of its `Encodable` form sorted by name, times in
    /// whole milliseconds.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("app", app.text)
            json.member("appAccountToken", appAccountToken?.uuidString)
            if let details {
                json.name("details")
                details.write(to: &json)
            }
            json.member("environment", environment.rawValue)
            json.member("expirationDate", expirationDate?.milliseconds)
            json.member("id", id.text)
            json.member("isSigned", isSigned)
            json.member("isUpgraded", isUpgraded)
            json.member("originalID", originalID.text)
            json.member("originalPurchaseDate", originalPurchaseDate?.milliseconds)
            json.member("ownershipType", ownershipType.rawValue)
            json.member("productID", productID.text)
            json.member("productType", productType?.rawValue)
            json.member("purchaseDate", purchaseDate.milliseconds)
            json.member("quantity", quantity)
            if let revocation {
                json.name("revocation")
                revocation.write(to: &json)
            }
            json.member("signedDate", signedDate.milliseconds)
            writeStatedDates(to: &json)
            json.member("subscriptionGroupID", subscriptionGroupID)
        }
    }
}

extension Transaction.Revocation {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("date", date.milliseconds)
            json.member("percentage", percentage)
            json.member("reason", reason)
        }
    }
}

extension PurchaseDetails {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("additionalReason", additionalReason)
            json.member("appTransactionID", appTransactionID)
            json.member("appVersion", appVersion)
            json.member("billingPlan", billingPlan)
            if let commitment {
                json.name("commitment")
                commitment.write(to: &json)
            }
            json.member("currency", currency)
            json.member("isIntroductoryPeriod", isIntroductoryPeriod)
            json.member("isTrialPeriod", isTrialPeriod)
            if let offer {
                json.name("offer")
                offer.write(to: &json)
            }
            json.member("orderID", orderID)
            json.member("originalAppVersion", originalAppVersion)
            json.member("price", price)
            json.member("reason", reason)
            if let revocation {
                json.name("revocation")
                revocation.write(to: &json)
            }
            if let seats {
                json.name("seats")
                seats.write(to: &json)
            }
            json.member("storefront", storefront)
            json.member("storefrontID", storefrontID)
            json.member("webOrderLineItemID", webOrderLineItemID)
        }
    }
}

extension CommitmentDetails {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("end", end?.milliseconds)
            json.member("period", period)
            json.member("periods", periods)
            json.member("price", price)
        }
    }
}

extension SeatDetails {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("invitations", invitations)
            json.member("revoked", revoked)
        }
    }
}

extension PurchaseOffer {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("discountType", discountType)
            json.member("id", id)
            json.member("period", period)
            json.member("type", type)
        }
    }
}

extension RevocationDetails {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("date", date.milliseconds)
            json.member("reason", reason)
            json.member("type", type)
        }
    }
}
