package import Foundation
package import InAppPurchase

/// The place of an account in the list of testers, those that became ones last first.
package struct TesterPosition: Hashable, Sendable {
    package var date: Date
    package var account: AccountID

    package init(date: Date, account: AccountID) {
        self.date = date
        self.account = account
    }
}
