import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// Whether a signed transaction was made for the device that sends it.
@Suite struct DeviceVerificationTests {
    static let device = UUID(uuidString: "A1B2C3D4-E5F6-4711-8899-AABBCCDDEEFF")
    static let nonce = "6f1d7ad2-3c4b-4e5f-8a9b-0c1d2e3f4a5b"
    /// SHA-384 over the nonce and the device in lower case, computed by another program.
    static let digest = "9ppuG0Q6RhPzX05aDERQ+DrjHQ++/e4tmcHD3il96e2FDtod9SHfqwqUYdUksE2+"

    let authority: SigningAuthority
    let verifier: SignedTransactionVerifier

    init() throws {
        authority = try SigningAuthority()
        verifier = try authority.verifier
    }

    private func receipt(_ members: [String: JSONValue?], for device: UUID?) async throws -> VerifiedReceipt {
        let catalog = try JSONDecoder().decode(
            Catalog.self, from: Data(StoreAnswerTests.catalog.utf8), configuration: [])
        return try await verifier.receipt(authority.jws(hints.with(members)), catalog: catalog, for: device, at: .t0)
            .receipt
    }

    struct Case: Sendable {
        var nonce: JSONValue?
        var digest: JSONValue?
        var device: UUID?
        var fits: Bool
    }

    static let cases = [
        Case(nonce: .string(nonce), digest: .string(digest), device: device, fits: true),
        Case(nonce: .string(nonce.uppercased()), digest: .string(digest), device: device, fits: true),
        Case(nonce: .string(nonce), digest: .string(digest), device: UUID(), fits: false),
        Case(nonce: .string(nonce), digest: .string(digest), device: nil, fits: false),
        Case(nonce: .string(UUID().uuidString), digest: .string(digest), device: device, fits: false),
        Case(nonce: nil, digest: .string(digest), device: device, fits: false),
        Case(nonce: .string(nonce), digest: nil, device: device, fits: false),
        Case(nonce: "no UUID", digest: .string(digest), device: device, fits: false),
        Case(nonce: .string(nonce), digest: "no base64!", device: device, fits: false),
        Case(nonce: .string(nonce), digest: "", device: device, fits: false),
        Case(nonce: 7, digest: .string(digest), device: device, fits: false),
        Case(nonce: .string(nonce), digest: ["a"], device: device, fits: false),
        Case(nonce: .null, digest: .null, device: device, fits: false),
    ]

    /// A check that fails never makes a transaction invalid.
    @Test(arguments: cases)
    func `A transaction is evidence for a device if its digest fits`(example: Case) async throws {
        let verified = try await receipt(
            ["deviceVerificationNonce": example.nonce, "deviceVerification": example.digest], for: example.device)
        #expect(verified.transactions.count == 1)
        #expect(
            verified.evidence
                == PresentedEvidence(
                    date: .t0, transactions: ["2000000847061981"], isForDevice: example.fits,
                    deviceRemedy: .deviceVerificationID))
    }
}
