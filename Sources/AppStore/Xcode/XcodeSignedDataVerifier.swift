import Basics
import Crypto
import Foundation
import InAppPurchase
import StrictJSON
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

/// Converts JSON from Xcode, which differs from the App Store's.
enum XcodeJSON {
    /// The object with its dates in whole milliseconds, none before 1970.
    ///
    /// Xcode writes fractions of a millisecond, and the year 1 for a missing date.
    ///
    /// - Throws: `malformed` for anything but an object, and for a date out of range.
    static func withStoreDates(_ json: StrictJSON) throws(ReceiptRejection) -> StrictJSON {
        let whole: Data
        do {
            var members = try json.decode([String: JSONValue].self)
            for (name, value) in members where name.hasSuffix("Date") { members[name] = try date(value) }
            whole = try JSONEncoder().encode(members)
        } catch {
            throw ReceiptRejection(.malformed, "the payload cannot be read")
        }
        return try StrictJSON(signed: whole)
    }

    private static func date(_ value: JSONValue) throws -> JSONValue {
        switch value {
        case .integer(let milliseconds): return .integer(max(milliseconds, AppStoreBounds.milliseconds.lowerBound))
        case .number(let milliseconds):
            guard let whole = Int(exactly: milliseconds.rounded()) else { throw AppReceiptError() }
            return .integer(max(whole, AppStoreBounds.milliseconds.lowerBound))
        default: return value
        }
    }
}

/// A JWS by Xcode's StoreKit testing, split into its parts: one self-signed certificate, and a key ID.
struct XcodeJWS {
    static let keyID = "Apple_Xcode_Key"

    var certificate: Data
    var parts: JWSParts

    /// - Throws: `malformed` if it is not Xcode's.
    init(_ text: String, maximumSize: Int) throws(ReceiptRejection) {
        parts = try JWSParts(text, maximumSize: maximumSize)
        guard let header = try? parts.header.decode(JWSHeader.self), header.alg == "ES256",
            header.kid == Self.keyID, !header.hasExtensions, header.x5c.count == 1, let base64 = header.x5c.first,
            let certificate = Data(strictBase64: Data(base64.utf8))
        else { throw ReceiptRejection(.malformed, "not signed by Xcode") }
        self.certificate = certificate
    }
}
