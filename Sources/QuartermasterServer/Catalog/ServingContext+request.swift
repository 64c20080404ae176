import Hummingbird
import InAppPurchase
import Ledger

extension ServingContext {
    /// The app and environment that a request's query names; see ``scope(bundleID:environment:)``.
    func scope(of request: Request) throws -> Scope? {
        let query = request.uri.queryParameters
        return try scope(
            bundleID: query["bundleID"].map { BundleID(stored: String($0)) },
            environment: query["environment"].map(String.init))
    }
}
