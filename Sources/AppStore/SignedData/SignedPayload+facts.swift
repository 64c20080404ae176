import Crypto
import Foundation
import InAppPurchase

extension SignedPayload {
    /// - Parameter device: `AppStore.deviceVerificationID`; `nil` if the client did not name it.
    /// - Throws: `unsupported` for neither a transaction nor an app transaction, `malformed`, `environment`
    func receipt(for device: UUID? = nil) throws(ReceiptRejection) -> SignedReceipt {
        has("receiptType") && !has("transactionId")
            ? .appTransaction(try appTransaction()) : .transaction(try transaction(), isForDevice: isMade(for: device))
    }

    func transaction() throws(ReceiptRejection) -> Transaction {
        guard has("transactionId") else { throw ReceiptRejection(.unsupported, "not a transaction") }
        let payload = try TransactionPayload(root)
        return try payload.transaction(in: environment(named: payload.environment)).withUniqueIDs
    }

    func appTransaction() throws(ReceiptRejection) -> AppTransaction {
        guard has("receiptType"), !has("transactionId") else {
            throw ReceiptRejection(.unsupported, "not an app transaction")
        }
        let payload = try decode(AppTransactionPayload.self)
        return payload.transaction(in: try environment(named: payload.receiptType))
    }

    /// - Throws: `environment` for any other than the signer may sign for.
    func environment(named name: String?) throws(ReceiptRejection) -> Environment {
        guard isByXcode else { return try Environment(signed: name) }
        guard name == Environment.xcode.rawValue else {
            throw ReceiptRejection(.environment, "signed by Xcode, and of another environment")
        }
        return .xcode
    }
}

/// The members of a signed AppTransaction that are used, under Apple's names; all others are ignored.
struct AppTransactionPayload: Decodable {
    var appTransactionId: Lenient<String>?
    var bundleId: BundleID
    var appAppleId: Int?
    /// The environment.
    var receiptType: String?
    var originalPurchaseDate: AppStoreDate
    var originalApplicationVersion: String
    var applicationVersion: Lenient<String>?
    var versionExternalIdentifier: Lenient<Int>?
    var receiptCreationDate: AppStoreDate

    func transaction(in environment: Environment) -> AppTransaction {
        AppTransaction(
            id: (appTransactionId?.value).flatMap { $0.isEmpty ? nil : $0 }, app: bundleId,
            appAppleID: appAppleId.flatMap { $0 > 0 ? $0 : nil },
            environment: environment, originalPurchaseDate: originalPurchaseDate.date,
            originalAppVersion: originalApplicationVersion,
            appVersion: (applicationVersion?.value).map {
                AppVersion(app: bundleId, text: $0, externalID: versionExternalIdentifier?.value)
            }, signedDate: receiptCreationDate.date)
    }
}

/// The members of a signed transaction that tie it to the device that StoreKit made it for.
///
/// Apple compares them on the device with `AppStore.deviceVerificationID`. On a server they show that the sender of the
/// transaction knows the ID of that device, not that the request comes from it: the ID is sent along and may be copied
/// with the transaction.
///
/// Source: Apple, JWSTransactionDecodedPayload, and StoreKit, `VerificationResult.deviceVerification`.
struct DeviceVerification: Decodable {
    private var deviceVerification: String?
    private var deviceVerificationNonce: String?

    /// Whether the transaction was made for the device: SHA-384 over the nonce and the device's ID, both as UUIDs in
    /// lower case. `false` if the members are missing or cannot be read.
    func fits(_ device: UUID) -> Bool {
        guard let nonce = deviceVerificationNonce.flatMap(UUID.init(uuidString:)),
            let digest = deviceVerification.flatMap({ Data(base64Encoded: $0) })
        else { return false }
        let text = (nonce.uuidString + device.uuidString).lowercased()
        return Data(SHA384.hash(data: Data(text.utf8))) == digest
    }
}

extension SignedPayload {
    /// Whether the transaction was made for the device. A check that fails never makes the transaction invalid.
    func isMade(for device: UUID?) -> Bool {
        guard let device, let verification = try? decode(DeviceVerification.self) else { return false }
        return verification.fits(device)
    }
}
