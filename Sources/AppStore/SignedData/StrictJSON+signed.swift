import Foundation
import InAppPurchase
package import StrictJSON

extension StrictJSON {
    /// Scans data that the App Store signs, or its header: an object in strict JSON (RFC 8259) without duplicate names.
    ///
    /// - Throws: `malformed`
    init(signed json: Data) throws(ReceiptRejection) {
        do throws(JSONError) { try self.init(json, .signedData) } catch {
            throw ReceiptRejection(.malformed, error.description)
        }
        guard root.kind == .object else { throw ReceiptRejection(.malformed, "not an object of JSON") }
    }
}

extension JSONLimits {
    /// A signed transaction has some thirty members, a notification with its signed data twice as many.
    static let signedData = JSONLimits(maximumMembers: 1_000)
    /// Unity's wrapper around a receipt has three members; the string in it is a document of its own.
    static let unityWrapper = JSONLimits(maximumMembers: 1_000)
    /// A response of verifyReceipt has thirty members for each transaction, and some customers have thousands of those.
    static let verifyReceiptAnswer = JSONLimits(maximumMembers: 500_000)
    /// Version 1 has thirty members for each of the latest 100 transactions, twice.
    package static let notification = JSONLimits(maximumMembers: 20_000)
    /// A page of the Server API has at most some hundred signed strings.
    static let serverAPIAnswer = JSONLimits(maximumMembers: 20_000)
}
