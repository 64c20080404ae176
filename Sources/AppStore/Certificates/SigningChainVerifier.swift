import Foundation
import InAppPurchase
import X509

/// Verifies that leaf and intermediate lead to a pinned root and sign for the App Store.
///
/// In two steps, so that the message's own signature, and checks that need none, come in between: first
/// ``signer(_:at:now:)``, which only reads, then ``verify(_:_:now:)``, which is slow for an unknown signer. Nothing may
/// be trusted before the second.
struct SigningChainVerifier<LeafKey: SigningKey>: Sendable {
    private let roots: [Certificate]
    let cache = VerifiedChainCache<LeafKey>()
    /// The same chains by the part of a message that names the signer. An entry is made only after the message's
    /// signature was verified, so that only signers of the App Store can fill it.
    let envelopes = VerifiedChainCache<LeafKey>()
    let queue = ChainVerificationQueue<LeafKey>()

    init(roots: [Certificate]) { self.roots = roots }

    /// The part of a message that names its signer.
    enum Envelope: Sendable {
        /// The same bytes as in an earlier message of this signer.
        case known(VerifiedChain<LeafKey>)
        case certificates(SignerCertificates, in: Data)
    }

    enum Signer: Sendable {
        case known(VerifiedChain<LeafKey>)
        case claimed(ClaimedSigner<LeafKey>)

        var key: LeafKey {
            switch self {
            case .known(let chain): chain.leafKey
            case .claimed(let signer): signer.key
            }
        }
    }

    /// - Parameters:
    ///   - bytes: the bytes, such as the header of a JWS; known ones are not parsed again.
    ///   - certificates: parses them.
    func envelope(
        _ bytes: Data, at now: Date, certificates: () throws(ReceiptRejection) -> SignerCertificates
    ) throws(ReceiptRejection) -> Envelope {
        if let chain = envelopes.chain(.init(envelope: bytes)), chain.isFresh(at: now) { return .known(chain) }
        return .certificates(try certificates(), in: bytes)
    }

    /// The signer whose signature the message must have. It may be a forger until the chain is verified.
    ///
    /// - Parameter date: the date of signing; old data stays valid after its signer's certificate has expired.
    /// - Throws: `malformed`, `chain`, or `expiredCertificate` if a date is the reason.
    func signer(_ envelope: Envelope, at date: Date, now: Date) throws(ReceiptRejection) -> Signer {
        switch envelope {
        case .known(let chain):
            try chain.check(at: date)
            return .known(chain)
        case .certificates(let certificates, _):
            if let chain = cache.chain(certificates.cacheKey()), chain.isFresh(at: now) {
                try chain.check(at: date)
                return .known(chain)
            }
            return .claimed(try ClaimedSigner(certificates, roots: roots, at: date))
        }
    }

    /// Returns if the signer is one of the App Store's. To be called after all other checks of the message.
    ///
    /// - Throws: `chain`, `expiredCertificate`, ``VerifierUnavailable``.
    func verify(_ signer: Signer, _ envelope: Envelope, now: Date) async throws {
        let chain =
            switch signer {
            case .known(let chain): chain
            case .claimed(let signer): try await verified(signer, now: now)
            }
        if case .certificates(_, let bytes) = envelope { envelopes.insert(chain, for: .init(envelope: bytes)) }
    }

    /// Takes certificates of an earlier process for those of a known signer, whose chain need not wait behind those of
    /// unknown ones. Their chain is verified before anything of theirs is trusted, like any other.
    func expect(_ certificates: SignerCertificates) {
        guard let leaf = try? Certificate(readable: certificates.leaf), let key = LeafKey(leaf.publicKey)
        else { return }
        let chain = VerifiedChain(
            leafKey: key, notBefore: .distantFuture, notAfter: .distantPast, verifiedAt: .distantPast)
        cache.insert(chain, for: certificates.cacheKey())
    }

    private func verified(_ signer: ClaimedSigner<LeafKey>, now: Date) async throws -> VerifiedChain<LeafKey> {
        let key = signer.certificates.cacheKey(of: LeafKey.self)
        let chain = try await queue.chain(key, isKnown: cache.chain(key) != nil) {
            let chain = try await signer.chain(to: roots, now: now)
            cache.insert(chain, for: key)
            return chain
        }
        // It may have been verified for another message of the signer, with another date.
        try chain.check(at: signer.date)
        return chain
    }
}

extension VerifiedChain {
    fileprivate func check(at date: Date) throws(ReceiptRejection) { guard isValid(at: date) else { throw .expired } }
}
