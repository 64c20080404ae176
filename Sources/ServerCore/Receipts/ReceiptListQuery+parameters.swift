import InAppPurchase
import Ledger
package import ServerHTTP

extension ReceiptListQuery {
    /// - Parameter parameter: the value of a parameter; `nil` if the request does not have it.
    /// - Throws: 400 for an invalid status, app, reason or order, and for a reason of receipts that wait.
    package init(limit: Int, _ parameter: (String) -> String?) throws {
        guard let status = parameter("status").flatMap(ListedReceipt.Status.init) else {
            throw Problem.invalidRequest("status: pending or rejected")
        }
        let app = try parameter("bundleID").map { text in
            guard let app = try? BundleID(checking: text) else {
                throw Problem.invalidRequest("bundleID: no such name")
            }
            return app
        }
        let order = parameter("order") ?? "oldest"
        guard ["oldest", "newest"].contains(order) else { throw Problem.invalidRequest("order: oldest or newest") }
        self.init(
            status, app: app, reason: try Self.reason(parameter("reason"), of: status),
            isNewestFirst: order == "newest", after: parameter("after"), limit: limit)
    }

    private static func reason(_ text: String?, of status: ListedReceipt.Status) throws -> ReceiptRejection.Reason? {
        guard let text else { return nil }
        guard status == .rejected else { throw Problem.invalidRequest("reason: only of rejected receipts") }
        guard let reason = ReceiptRejection.Reason(rawValue: text) else {
            let names = ReceiptRejection.Reason.allCases.map(\.rawValue).sorted().joined(separator: ", ")
            throw Problem.invalidRequest("reason: one of \(names)")
        }
        return reason
    }
}

extension Problem {
    package static let noSuchReceipt = Problem.invalidRequest("after: the ID of a receipt")
}
