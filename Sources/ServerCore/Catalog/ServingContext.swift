package import Foundation
import HTTPTypes
package import Hummingbird
package import InAppPurchase
package import Ledger
package import ServerHTTP

/// Creates the context of a decision: the catalog and the time as they are now.
package struct ServingContext: Sendable {
    package let live: LiveCatalog
    package let testers: Set<AccountID>
    /// The apps that trust a certificate of Xcode.
    package let xcodeApps: Set<BundleID>
    package let clock: @Sendable () -> Date
    /// The count of refused signatures; all copies share it.
    let signatures = SignatureWatch()
    package var provisionalTime: TimeInterval = 0
    /// The budgets of stored receipt bytes.
    package var receiptBytes = ReceiptByteBudgets()

    package init(
        live: LiveCatalog, testers: Set<AccountID>, xcodeApps: Set<BundleID>, clock: @escaping @Sendable () -> Date,
        provisionalTime: TimeInterval = 0, receiptBytes: ReceiptByteBudgets = ReceiptByteBudgets()
    ) {
        self.live = live
        self.testers = testers
        self.xcodeApps = xcodeApps
        self.clock = clock
        self.provisionalTime = provisionalTime
        self.receiptBytes = receiptBytes
    }

    package var context: RecordingContext {
        RecordingContext(
            catalog: live.current.catalog, testers: testers, date: clock(), provisionalTime: provisionalTime,
            receiptBytes: receiptBytes)
    }

    /// The app and environment of a request about balances.
    ///
    /// - Returns: `nil` if no app is named and there are several.
    /// - Throws: 404 for an app that is not served, 400 for an environment that does not exist.
    package func scope(bundleID: BundleID?, environment: String?) throws -> Scope? {
        let apps = live.current.catalog.apps
        guard let bundleID = bundleID ?? (apps.count == 1 ? apps.first?.bundleID : nil) else { return nil }
        guard apps.contains(where: { $0.bundleID == bundleID }) else { throw Problem.unknownApp }
        let served: [InAppPurchase.Environment] =
            [.production, .sandbox] + (xcodeApps.contains(bundleID) ? [.xcode] : [])
        let name = environment ?? InAppPurchase.Environment.production.rawValue
        guard let environment = served.first(where: { $0.rawValue == name }) else {
            throw Problem.invalidRequest("environment: \(served.map(\.rawValue).joined(separator: " or "))")
        }
        return Scope(app: bundleID, environment: environment)
    }
}

extension Problem {
    package static let unknownApp = Problem(.notFound, "unknown_app", "Unknown app")
}

extension ServingContext {
    /// The app and environment that a request's query names; see ``scope(bundleID:environment:)``.
    package func scope(of request: Request) throws -> Scope? {
        let query = request.uri.queryParameters
        return try scope(
            bundleID: query["bundleID"].map { BundleID(stored: String($0)) },
            environment: query["environment"].map(String.init))
    }
}
