import Crypto
import Foundation
import InAppPurchase
import Ledger

/// The account and the address that a receipt's bytes are counted for, each as a SHA-256, so that no address is stored.
struct ReceiptSubjects {
    var account: Data
    /// The digest of the address; `nil` if it is not known.
    var address: Data?

    init(_ receipt: Receipt) {
        self.init(account: receipt.account, address: receipt.address.map { Self.digest("address \($0)") })
    }

    init(account: AccountID, address: Data?) {
        self.account = Self.digest("account \(account.text)")
        self.address = address
    }

    var all: [Data] { [account] + (address.map { [$0] } ?? []) }

    func limited(by budget: ReceiptByteBudgets.Budget) -> [(subject: Data, limit: Int)] {
        [(account, budget.account)] + (address.map { [($0, budget.address)] } ?? [])
    }

    private static func digest(_ text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }
}
