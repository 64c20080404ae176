import Foundation
import InAppPurchase

/// In which groups of subscriptions a customer used the introductory offer, from all recorded periods.
///
/// Source: Apple, "Implementing introductory offers in your app": one in a group is all that a customer gets.
struct IntroductoryOffers: Sendable {
    private struct Group: Hashable {
        var scope: Scope
        /// The subscription group, or the product if its group is not known.
        var name: String
    }

    private var uses: [Group: Bool?] = [:]

    init(_ records: [RecordedTransaction]) {
        for record in records where record.transaction.mayRenew {
            let group = Self.group(of: record)
            let use = record.transaction.usesIntroductoryOffer
            guard let known = uses[group] else {
                uses[group] = use
                continue
            }
            uses[group] = known == true || use == true ? true : (known == nil || use == nil ? .some(nil) : false)
        }
    }

    /// Whether the offer of the record's group is used up; `nil` if it was not in any period that tells, and there are
    /// periods that do not.
    func isUsed(inGroupOf record: RecordedTransaction) -> Bool? { uses[Self.group(of: record)] ?? nil }

    private static func group(of record: RecordedTransaction) -> Group {
        let transaction = record.transaction
        return Group(scope: record.scope, name: transaction.subscriptionGroupID ?? transaction.productID.text)
    }
}

extension Transaction {
    /// Whether the period is a trial or has an introductory price; `nil` if no copy tells.
    fileprivate var usesIntroductoryOffer: Bool? {
        if details?.isTrialPeriod == true || details?.isIntroductoryPeriod == true { return true }
        if details?.offer?.isIntroductory == true { return true }
        return isSigned || details?.isTrialPeriod == false ? false : nil
    }
}
