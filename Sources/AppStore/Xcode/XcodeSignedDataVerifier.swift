import Basics
import Crypto
import Foundation
import InAppPurchase
import SwiftASN1
import X509

/// Verifies data signed by Xcode's StoreKit testing, for apps whose configuration names the very certificate.
///
/// Every Xcode makes its own certificates, so there is no chain to a root and no date to check: the bytes themselves
/// are trusted, for one app, and never for data of the App Store.
struct XcodeSignedDataVerifier: Sendable {
    /// The certificates in DER, by app.
    var certificates: [BundleID: Set<Data>]

    /// - Parameters:
    ///   - app: the app that the data is for; `nil` for the one that it names itself.
    ///   - now: data that is signed in the future is not judged.
    /// - Throws: ``VerifierUnavailable``, `environment` for an app without certificates, `chain` for another
    ///   certificate than the app's, `signature`, `malformed`.
    func payload(of jws: XcodeJWS, app: BundleID?, at now: Date) throws -> SignedPayload {
        let json = try StrictJSON(signed: jws.parts.payload)
        let key = try key(of: jws, json, app: app)
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.parts.signature),
            key.isValidSignature(signature, for: jws.parts.signedBytes)
        else { throw ReceiptRejection(.signature, "the signature is wrong") }
        let payload = try SignedPayload(XcodeJSON.withStoreDates(json), isByXcode: true)
        try payload.checkEnd(at: now)
        try payload.checkBegin(at: now)
        return payload
    }

    private func key(
        of jws: XcodeJWS, _ payload: StrictJSON, app: BundleID?
    ) throws(ReceiptRejection) -> P256.Signing.PublicKey {
        struct Subject: Decodable { var bundleId: BundleID? }
        guard let subject = try? payload.decode(Subject.self) else {
            throw ReceiptRejection(.malformed, "the payload cannot be read")
        }
        guard let app = subject.bundleId ?? app, let trusted = certificates[app] else {
            throw ReceiptRejection(.environment, "signed by Xcode")
        }
        guard trusted.contains(jws.certificate), let key = Self.key(of: jws.certificate) else {
            throw ReceiptRejection(.chain, "not the app's certificate of Xcode")
        }
        return key
    }

    private static func key(of der: Data) -> P256.Signing.PublicKey? {
        (try? Certificate(derEncoded: Array(der))).flatMap { P256.Signing.PublicKey($0.publicKey) }
    }
}
