package import Foundation
package import InAppPurchase

/// The position of an account in the list of testers, latest first.
package struct TesterPosition: Hashable, Sendable {
    package var date: Date
    package var account: AccountID

    package init(date: Date, account: AccountID) {
        self.date = date
        self.account = account
    }
}
