package import Basics
import Foundation
import InAppPurchase

extension StrictJSON {
    /// Scans data that the store signs, or its header: an object to the letter of RFC 8259 without a name twice.
    ///
    /// - Throws: `malformed`
    init(signed json: Data) throws(ReceiptRejection) {
        do throws(JSONError) {
            try self.init(json, .signedData)
        } catch {
            throw ReceiptRejection(.malformed, error.description)
        }
        guard root.kind == .object else { throw ReceiptRejection(.malformed, "not an object of JSON") }
    }
}

extension JSONLimits {
    /// A signed transaction has some thirty members, a notification with what is about it twice as many.
    static let signedData = JSONLimits(maximumMembers: 1_000)
    /// What Unity wraps around a receipt has three members; the text in it is another document.
    static let unityWrapper = JSONLimits(maximumMembers: 1_000)
    /// An answer of verifyReceipt has thirty members for each transaction, and customers with thousands of those.
    static let verifyReceiptAnswer = JSONLimits(maximumMembers: 500_000)
    /// Version 1 has thirty members for each of the latest 100 transactions, twice.
    package static let notification = JSONLimits(maximumMembers: 20_000)
    /// A page of the Server API has at most some hundred signed texts.
    static let serverAPIAnswer = JSONLimits(maximumMembers: 20_000)
}
