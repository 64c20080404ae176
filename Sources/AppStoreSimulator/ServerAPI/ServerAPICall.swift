import Foundation
import Hummingbird
import InAppPurchase

/// An authorized call.
struct ServerAPICall: Sendable {
    /// The app whose server calls.
    var app: BundleID
    var date: Date
    var request: Request
    var context: StoreRequestContext

    /// The ID that the path names.
    var id: String { context.parameters.get("id") ?? "" }

    /// The transaction whose ID is in the path.
    var transactionID: TransactionID { TransactionID(stored: id) }

    func query(_ name: String) -> String? { request.uri.queryParameters.get(name) }

    /// All values of a parameter that may be given several times.
    func queries(_ name: String) -> [String] { request.uri.queryParameters.getAll(name) }

    func body<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        try await context.decode(type, from: request)
    }
}
