package import Hummingbird
package import InAppPurchase
import ServerHTTP

/// The query of a request for a product list.
package struct ProductListQuery: Sendable {
    /// The names of its parameters.
    package static let names: Set<String> = ["appVersion", "platform", "storefront", "placement", "bucket"]

    package var client = Availability.Client()
    /// The place in the app that offers the products; `nil` for all products.
    package var placement: String?
    /// The client's bucket of the placement.
    package var bucket = 0

    /// The query that narrows nothing.
    package init() {}

    /// - Throws: 400 if the bucket is invalid.
    package init(_ request: Request) throws {
        let query = request.uri.queryParameters
        try self.init { query[Substring($0)].map(String.init) }
    }

    /// - Parameter parameter: the value of a parameter; `nil` if the request does not have it.
    /// - Throws: as ``init(_:)``.
    package init(_ parameter: (String) -> String?) throws {
        client = Availability.Client(
            appVersion: parameter("appVersion"), platform: parameter("platform"), storefront: parameter("storefront"))
        placement = parameter("placement")
        guard let text = parameter("bucket") else { return }
        guard let bucket = Int(text), PlacementCondition.allBuckets.contains(bucket) else {
            throw Problem.invalidRequest("bucket: a whole number from 0 to 99")
        }
        self.bucket = bucket
    }
}
