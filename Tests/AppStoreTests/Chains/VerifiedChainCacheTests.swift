import Crypto
import Foundation
import InAppPurchase
import Testing
import X509

@testable import AppStore

@Suite struct VerifiedChainCacheTests {
    private typealias Cache = VerifiedChainCache<P256.Signing.PublicKey>

    private func key(_ number: Int) -> Cache.Key { Cache.Key(leaf: Data("\(number)".utf8), intermediate: Data()) }

    @Test func `A full cache of chains drops the oldest`() {
        let cache = Cache()
        let chain = VerifiedChain(
            leafKey: P256.Signing.PrivateKey().publicKey, notBefore: .t0, notAfter: .t0, verifiedAt: .t0)
        for number in 0..<Cache.capacity { cache.insert(chain, for: key(number)) }
        cache.insert(chain, for: key(0))
        #expect(cache.count == Cache.capacity)
        #expect(cache.chain(key(0)) != nil)
        cache.insert(chain, for: key(Cache.capacity))
        #expect(cache.count == Cache.capacity)
        #expect(cache.chain(key(0)) == nil)
        #expect(cache.chain(key(1)) != nil)
    }

    @Test func `Chains are cached by leaf and intermediate`() {
        let keys = [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc")].map {
            Cache.Key(leaf: Data($0.0.utf8), intermediate: Data($0.1.utf8))
        }
        #expect(Set(keys).count == keys.count)
    }

    @Test func `One signer takes one entry of the cache`() async throws {
        let authority = try SigningAuthority()
        let verifier = SignedDataVerifier(anchors: try authority.anchors)
        for _ in 0..<3 {
            _ = try await verifier.read(try authority.jws(hints), maximumSize: 16_384, at: .t0) { $0 }
        }
        #expect(verifier.chains.cache.count == 1)
    }

    @Test func `A forged chain does not enter the cache`() async throws {
        let verifier = SignedDataVerifier(anchors: try SigningAuthority().anchors)
        for options in [SigningAuthority.Options(), .init(leafMarker: false), .init(leafNotAfter: .t0 - 1)] {
            let jws = try SigningAuthority(options).jws(hints)
            await #expect(throws: ReceiptRejection.self) {
                try await verifier.read(jws, maximumSize: 16_384, at: .t0) { $0 }
            }
        }
        #expect(verifier.chains.cache.count == 0)
    }

    /// A known chain is believed only for dates at which it was valid.
    @Test(arguments: [Date.t0 - 2 * 86_400, .t0 + 366 * 86_400])
    func `A known chain is refused outside its validity`(_ signedDate: Date) async throws {
        let authority = try SigningAuthority()
        let verifier = try authority.verifier
        let now = Date.t0 + 400 * 86_400
        _ = try await verifier.verify(try authority.jws(hints), apps: hangman, at: now)
        let late = try authority.jws(hints.with(["signedDate": .integer(signedDate.milliseconds)]))
        await #expect(throws: ReceiptRejection(.expiredCertificate)) {
            try await verifier.verify(late, apps: hangman, at: now)
        }
    }

    /// A cached chain has its own key.
    @Test func `A cached chain gives the key of its leaf`() async throws {
        let authority = try SigningAuthority()
        let verifier = SigningChainVerifier<P256.Signing.PublicKey>(roots: [authority.root])
        let (leaf, intermediate) = try (authority.leaf.der, authority.intermediate.der)
        for _ in 0..<2 {
            let key = try await verifier.key(leaf: leaf, intermediate: intermediate, at: .t0, now: .t0)
            #expect(key.rawRepresentation == authority.leafKey.publicKey.rawRepresentation)
        }
    }
}
