import Foundation
import InAppPurchase
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// A signer whose certificates look right, but whose certificate chain is not verified yet.
struct ClaimedSigner<LeafKey: SigningKey>: Sendable {
    let key: LeafKey
    let certificates: SignerCertificates
    /// The date of signing, as the message states it.
    let date: Date
    private let leaf: Certificate
    private let intermediate: Certificate

    /// Makes all checks that need no signature verification: public-key operations for chains that cannot be valid
    /// would be an invitation to send many.
    ///
    /// - Parameters:
    ///   - roots: the trusted roots; one must be the issuer of the intermediate.
    ///   - date: the date at which both certificates must be valid.
    /// - Throws: `malformed`, `chain`, `expiredCertificate`.
    init(_ certificates: SignerCertificates, roots: [Certificate], at date: Date) throws(ReceiptRejection) {
        let leaf = try Certificate(readable: certificates.leaf)
        let intermediate = try Certificate(readable: certificates.intermediate)
        guard let key = LeafKey(leaf.publicKey), key.isAffordable else {
            throw ReceiptRejection(.chain, "the signer's key is of another kind")
        }
        guard leaf.isValid(at: date), intermediate.isValid(at: date) else { throw .expired }
        guard leaf.issuer == intermediate.subject,
            AppStoreSigningPolicy.isMarked(leaf: leaf, intermediate: intermediate)
        else { throw ReceiptRejection(.chain, "not the certificates of the store's signing") }
        guard roots.contains(where: { $0.subject == intermediate.issuer }) else {
            throw ReceiptRejection(.chain, "the root is not known: \(intermediate.issuer.readable)")
        }
        self.certificates = certificates
        self.key = key
        self.date = date
        self.leaf = leaf
        self.intermediate = intermediate
    }

    /// Verifies the chain, which is slow: the signatures of the certificates, and all rules of RFC 5280 §6.
    ///
    /// - Parameter now: the present time.
    /// - Throws: `chain`.
    func chain(to roots: [Certificate], now: Date) async throws(ReceiptRejection) -> VerifiedChain<LeafKey> {
        var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
            RFC5280Policy(fixedExpiryValidationTime: date)
            CertificateProfile()
            AppStoreSigningPolicy()
        }
        guard
            case .validCertificate(let chain) = await verifier.validate(
                leaf: leaf, intermediates: CertificateStore([intermediate]))
        else { throw ReceiptRejection(.chain, "no chain of the store's certificates to a trusted root") }
        let (notBefore, notAfter) = (chain.map(\.notValidBefore).max(), chain.map(\.notValidAfter).min())
        return VerifiedChain(leafKey: key, notBefore: notBefore ?? date, notAfter: notAfter ?? date, verifiedAt: now)
    }
}

extension Certificate {
    /// - Throws: `malformed`
    init(readable der: Data) throws(ReceiptRejection) {
        do {
            try self.init(derEncoded: Array(der))
        } catch {
            throw ReceiptRejection(.malformed, "a certificate cannot be read")
        }
    }

    fileprivate func isValid(at date: Date) -> Bool { notValidBefore <= date && date <= notValidAfter }
}

extension DistinguishedName {
    /// The maximum length of ``readable`` in characters.
    private static let maximumLength = 100

    /// The name for the operator's log, in printable ASCII: anybody can choose it.
    fileprivate var readable: String {
        String(
            description.unicodeScalars.prefix(Self.maximumLength).map { scalar in
                (" "..."~").contains(scalar) ? Character(scalar) : "?"
            })
    }
}

extension ReceiptRejection {
    static let expired = ReceiptRejection(
        .expiredCertificate, "a certificate was not valid at the date of signing")
}
