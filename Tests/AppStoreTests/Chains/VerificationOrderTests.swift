import Crypto
import Foundation
import InAppPurchase
import Testing

@testable import AppStore

/// The order of the checks, and which are not made again.
@Suite struct VerificationOrderTests {
    let authority: SigningAuthority
    let verifier: SignedDataVerifier
    let transactions: SignedTransactionVerifier
    let key: VerifiedChainCache<P256.Signing.PublicKey>.Key

    init() throws {
        authority = try SigningAuthority()
        verifier = SignedDataVerifier(anchors: try authority.anchors)
        transactions = SignedTransactionVerifier(signedData: verifier)
        key = .init(leaf: try authority.leaf.der, intermediate: try authority.intermediate.der)
    }

    private func expect(
        _ reason: ReceiptRejection.Reason, _ jws: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(throws: ReceiptRejection(reason), sourceLocation: sourceLocation) {
            try await transactions.verify(jws, apps: hangman, at: .t0)
        }
    }

    /// A chain with the same names under another root is told apart only by its signatures, which are checked last.
    @Test func `A chain is verified only after everything else passed`() async throws {
        let forger = try SigningAuthority()
        await expect(.bundleID, try forger.jws(hints.with(["bundleId": "com.example.other"])))
        await expect(.environment, try forger.jws(hints.with(["environment": "Xcode"])))
        await expect(.signature, try forger.jws(hints, key: authority.leafKey))
        await expect(.chain, try forger.jws(hints))
        #expect(verifier.chains.cache.count == 0 && verifier.chains.envelopes.count == 0)
    }

    /// The header of a genuine message, with a payload that its signer has not signed.
    @Test func `A header is remembered only with a valid signature`() async throws {
        await expect(.signature, try authority.jws(hints, key: P256.Signing.PrivateKey()))
        await expect(.bundleID, try authority.jws(hints.with(["bundleId": "com.example.other"])))
        #expect(verifier.chains.envelopes.count == 0)
        let genuine = try authority.jws(hints)
        for _ in 0..<2 { _ = try await transactions.verify(genuine, apps: hangman, at: .t0) }
        #expect(verifier.chains.envelopes.count == 1)
        await expect(.signature, try authority.jws(hints, key: P256.Signing.PrivateKey()))
        let late = try authority.jws(hints.with(["signedDate": .integer(Date.t0.milliseconds - 2 * 86_400_000)]))
        await expect(.expiredCertificate, late)
    }

    /// After a quarter of an hour, and after the clock was set back, a known chain is verified once more.
    @Test(arguments: [(900.0, 0.0), (901, 901), (-1, -1)]) func `A known chain is verified again after 15 minutes`(
        _ later: TimeInterval, _ verified: TimeInterval
    ) async throws {
        let jws = try authority.jws(hints)
        for now in [Date.t0, .t0 + later] { _ = try await transactions.verify(jws, apps: hangman, at: now) }
        #expect(verifier.chains.cache.chain(key)?.verifiedAt == .t0 + verified)
        #expect(verifier.chains.cache.count == 1 && verifier.chains.envelopes.count == 1)
    }

    @Test func `Many transactions at once of a new signer verify its chain into one entry`() async throws {
        let jws = try authority.jws(hints)
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask { _ = try await transactions.verify(jws, apps: hangman, at: .t0) }
            }
            try await group.waitForAll()
        }
        #expect(verifier.chains.cache.count == 1)
    }
}
