import Crypto
import Foundation

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
