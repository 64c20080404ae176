import Crypto
import CryptoExtras
import Foundation
import InAppPurchase
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// The kind of key that the store signs one kind of data with.
protocol SigningKey: Sendable {
    /// Nil for a key of another kind.
    init?(_ key: Certificate.PublicKey)
}

/// Signed transactions and notifications.
extension P256.Signing.PublicKey: SigningKey {}

/// App receipts.
extension _RSA.Signing.PublicKey: SigningKey {}

/// Finds out whether leaf and intermediate lead to a pinned root and sign for the store.
struct SigningChainVerifier<LeafKey: SigningKey>: Sendable {
    private let roots: CertificateStore
    let cache = VerifiedChainCache<LeafKey>()

    init(roots: [Certificate]) { self.roots = CertificateStore(roots) }

    /// The key of the leaf, once the chain is verified.
    ///
    /// - Parameters:
    ///   - leaf: the signer's certificate in DER.
    ///   - intermediate: its issuer's certificate in DER, issued by a pinned root.
    ///   - date: when the data was signed; old data stays good after its signer's certificate has expired.
    /// - Throws: `malformed`, `chain`, or `expiredCertificate` where the chain fails and a date explains it.
    func key(leaf: Data, intermediate: Data, at date: Date) async throws(ReceiptRejection) -> LeafKey {
        let cacheKey = VerifiedChainCache<LeafKey>.Key(leaf: leaf, intermediate: intermediate)
        if let known = cache.chain(cacheKey), known.isValid(at: date) { return known.leafKey }
        let chain = try await verify(leaf: certificate(leaf), intermediate: certificate(intermediate), at: date)
        cache.insert(chain, for: cacheKey)
        return chain.leafKey
    }

    private func certificate(_ der: Data) throws(ReceiptRejection) -> Certificate {
        do {
            return try Certificate(derEncoded: Array(der))
        } catch {
            throw ReceiptRejection(.malformed, "a certificate cannot be read")
        }
    }

    private func verify(
        leaf: Certificate, intermediate: Certificate, at date: Date
    ) async throws(ReceiptRejection) -> VerifiedChain<LeafKey> {
        guard let key = LeafKey(leaf.publicKey) else {
            throw ReceiptRejection(.chain, "the signer's key is of another kind")
        }
        var verifier = Verifier(rootCertificates: roots) {
            RFC5280Policy(fixedExpiryValidationTime: date)
            StoreSigningPolicy()
        }
        switch await verifier.validate(leaf: leaf, intermediates: CertificateStore([intermediate])) {
        case .validCertificate(let chain):
            let (notBefore, notAfter) = (chain.map(\.notValidBefore).max(), chain.map(\.notValidAfter).min())
            return VerifiedChain(leafKey: key, notBefore: notBefore ?? date, notAfter: notAfter ?? date)
        case .couldNotValidate where [leaf, intermediate].contains(where: { !$0.isValid(at: date) }):
            throw ReceiptRejection(.expiredCertificate, "a certificate was not valid at the date of signing")
        case .couldNotValidate:
            throw ReceiptRejection(.chain, "no chain of the store's certificates to a trusted root")
        }
    }
}

extension Certificate {
    fileprivate func isValid(at date: Date) -> Bool { notValidBefore <= date && date <= notValidAfter }
}
