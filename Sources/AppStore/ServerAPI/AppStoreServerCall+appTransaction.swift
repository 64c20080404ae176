public import Foundation
public import InAppPurchase

extension AppStoreServerCall {
    /// Proof that a customer has the app, not that anything was bought in it.
    ///
    /// Source: Apple, "JWSAppTransactionDecodedPayload".
    public struct AppTransactionInfo: Hashable, Sendable {
        /// The same for ever of one customer and app; nil in older data.
        public var id: TransactionID?
        public var bundleID: BundleID
        public var environment: Environment
        /// The version that was downloaded first.
        public var originalApplicationVersion: String?
        /// When it was downloaded first.
        public var originalPurchaseDate: Date?
        public var signedDate: Date
    }

    private struct Payload: Decodable {
        var receiptType: String?
        var appTransactionId: String?
        var bundleId: String
        var originalApplicationVersion: String?
        var originalPurchaseDate: StoreDate?
        var receiptCreationDate: StoreDate
    }

    /// The customer's download of the app.
    ///
    /// - Parameter id: of any of the customer's transactions.
    /// - Throws: `notFound` also where there is no download (4040019); else as ``transaction(_:)``.
    public func appTransaction(of id: TransactionID) async throws(AppStoreServerFailure) -> AppTransactionInfo {
        let path = "/inApps/v1/transactions/appTransactions/\(try checked(id))"
        let (environment, body) = try await answer(
            to: ServerAPIRequest(path: path), as: AppTransactionInfoResponse.self)
        do {
            return try await verified(body.signedAppTransactionInfo, in: environment)
        } catch let error as ReceiptRejection {
            throw .temporary("the answer cannot be verified: \(error.reason), \(error.detail)")
        } catch {
            throw .busy
        }
    }

    private func verified(
        _ jws: String, in environment: Environment
    ) async throws -> AppTransactionInfo {
        try await client.verifier.read(jws, maximumSize: SignedTransactionVerifier.maximumSize, at: now) {
            signed throws(ReceiptRejection) in
            try transaction(signed, in: environment)
        }
    }

    private func transaction(
        _ signed: SignedPayload, in environment: Environment
    ) throws(ReceiptRejection) -> AppTransactionInfo {
        let payload = try signed.decode(Payload.self)
        guard payload.bundleId == key.bundleID else { throw ReceiptRejection(.bundleID, "another app") }
        guard try Environment(signed: payload.receiptType) == environment else {
            throw ReceiptRejection(.environment, "not the environment that was asked")
        }
        return AppTransactionInfo(
            id: payload.appTransactionId, bundleID: payload.bundleId, environment: environment,
            originalApplicationVersion: payload.originalApplicationVersion,
            originalPurchaseDate: payload.originalPurchaseDate?.date, signedDate: payload.receiptCreationDate.date)
    }
}
