import Foundation
import InAppPurchase
import TestSupport
import Testing
import X509

@testable import AppStore

/// App receipts, judged without the store.
@Suite struct AppReceiptTests {
    struct Form: Sendable {
        var digest: DigestAlgorithm
        var hasSignedAttributes: Bool
        var isWrappedTwice: Bool
        var encoding: AppReceiptMaker.Encoding
    }

    /// Every form in which receipts have been sent.
    static let forms = [DigestAlgorithm.sha1, .sha256].flatMap { digest in
        [false, true].flatMap { attributes in
            [false, true].flatMap { twice in
                AppReceiptMaker.Encoding.allCases.map {
                    Form(digest: digest, hasSignedAttributes: attributes, isWrappedTwice: twice, encoding: $0)
                }
            }
        }
    }

    let authority: ReceiptAuthority

    init() throws { authority = try ReceiptAuthority() }

    private func expect(
        _ reason: ReceiptRejection.Reason, _ receipt: String, at now: Date = .t0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let verifier = try authority.verifier
        await #expect(throws: ReceiptRejection(reason), sourceLocation: sourceLocation) {
            try await verifier.verify(receipt, at: now)
        }
    }

    @Test(arguments: forms)
    func `An app receipt is verified in every form, also after its certificates expired`(_ form: Form) async throws {
        var maker = AppReceiptMaker()
        (maker.digest, maker.hasSignedAttributes) = (form.digest, form.hasSignedAttributes)
        (maker.isWrappedTwice, maker.encoding) = (form.isWrappedTwice, form.encoding)
        // Years later, when every certificate has expired.
        var details = PurchaseDetails()
        details.appVersion = "1.2"
        details.originalAppVersion = "1.0"
        details.webOrderLineItemID = "1000000000000007"
        details.isTrialPeriod = false
        for now in [Date.t0, .t0 + 30 * 365 * 86_400] {
            let answer = try await authority.verifier.verify(
                maker.receipt(by: authority), device: AppReceiptMaker.device, at: now)
            #expect(answer.bundleID == "com.example.hangman")
            #expect(answer.appAppleID == 1_234_567_890)
            #expect(answer.environment == .production)
            #expect(
                answer.receipt.transactions == [
                    Transaction(
                        id: "2000000000000002", originalID: "2000000000000001", app: "com.example.hangman",
                        environment: .production, productID: "com.example.hangman.tenhints", quantity: 2,
                        purchaseDate: .t0 - 37 * 60, originalPurchaseDate: .t0 - 37 * 60 - 86_400,
                        details: details, signedDate: .t0, isSigned: false)
                ])
        }
    }

    /// The evidence that moves a purchase: the date of the bytes, and whether they belong to the device that sends
    /// them.
    @Test func `The evidence of an app receipt is its date and its device`() async throws {
        let (maker, verifier) = (AppReceiptMaker(), try authority.verifier)
        let receipt = try maker.receipt(by: authority)
        for device in [AppReceiptMaker.device, nil] {
            let answer = try await verifier.verify(receipt, device: device, at: .t0 + 86_400)
            #expect(
                answer.receipt.evidence
                    == PresentedEvidence(
                        date: .t0, transactions: ["2000000000000002"], isForDevice: device != nil,
                        deviceRemedy: .deviceIdentifier))
        }
    }

    /// Only what the store signed can be another device's; anything else is refused as without a device.
    @Test func `A receipt of another device is refused as such only if the store signed it`() async throws {
        let verifier = try authority.verifier
        let other = Data(repeating: 7, count: 16)
        await #expect(throws: ReceiptRejection(.otherDevice)) {
            try await verifier.verify(AppReceiptMaker().receipt(by: authority), device: other, at: .t0)
        }
        let stranger = try ReceiptAuthority(name: "Another root")
        await #expect(throws: ReceiptRejection(.chain)) {
            try await verifier.verify(AppReceiptMaker().receipt(by: stranger), device: other, at: .t0)
        }
    }

    /// Nothing but the very bytes that were signed, except what does not count: the order of certificates, and the name
    /// of the signature's algorithm.
    @Test(arguments: [(DigestAlgorithm.sha1, false), (.sha256, true)])
    func `An app receipt with a changed byte is refused or says the same`(_ digest: DigestAlgorithm, _ attributes: Bool)
        async throws
    {
        var maker = AppReceiptMaker(digest: digest, hasSignedAttributes: attributes)
        maker.certificates = [authority.leaf, authority.intermediate]
        let verifier = try authority.verifier
        let good = try #require(Data(receiptBase64: try maker.receipt(by: authority)))
        let answer = try await verifier.verify(good.base64EncodedString(), at: .t0)
        for position in good.indices {
            var changed = good
            changed[position] ^= 0x01
            guard let other = try? await verifier.verify(changed.base64EncodedString(), at: .t0) else { continue }
            #expect(other.receipt.transactions == answer.receipt.transactions, "position \(position)")
        }
    }

    @Test func `The certificates of an app receipt may be in any order`() async throws {
        let (leaf, intermediate, root) = (authority.leaf, authority.intermediate, authority.root)
        for order in [
            [leaf, intermediate, root], [root, intermediate, leaf], [intermediate, leaf], [leaf, intermediate],
        ] {
            let maker = AppReceiptMaker(certificates: order)
            _ = try await authority.verifier.verify(maker.receipt(by: authority), at: .t0)
        }
        for missing in [[leaf, root], [intermediate, root], []] {
            try await expect(.chain, AppReceiptMaker(certificates: missing).receipt(by: authority))
        }
        let many = AppReceiptMaker(certificates: Array(repeating: leaf, count: 9))
        try await expect(.malformed, many.receipt(by: authority))
    }

    @Test(arguments: [
        (ReceiptAuthority.Options(leafMarker: false), ReceiptRejection.Reason.chain),
        (.init(intermediateMarker: false), .chain), (.init(leafNotAfter: .t0 - 1), .expiredCertificate),
    ])
    func `A receipt signed by certificates not meant for receipts is refused`(
        _ options: ReceiptAuthority.Options, _ reason: ReceiptRejection.Reason
    ) async throws {
        let other = try ReceiptAuthority(options)
        let verifier = try other.verifier
        let receipt = try AppReceiptMaker().receipt(by: other)
        await #expect(throws: ReceiptRejection(reason)) { try await verifier.verify(receipt, at: .t0) }
    }

    @Test func `A receipt whose certificates are signed with SHA-1 is verified`() async throws {
        let old = try ReceiptAuthority(.init(algorithm: .sha1WithRSAEncryption))
        _ = try await old.verifier.verify(AppReceiptMaker(digest: .sha1).receipt(by: old), at: .t0)
    }

    @Test func `An app receipt under a foreign root is refused`() async throws {
        try await expect(.chain, AppReceiptMaker().receipt(by: ReceiptAuthority(name: "Other Root")))
    }

    @Test(
        arguments: [
            ([0: AppReceiptMaker.text("Xcode")], ReceiptRejection.Reason.environment),
            ([0: AppReceiptMaker.text("")], .environment),
            ([2: .integer(7)], .malformed), ([2: AppReceiptMaker.text("")], .malformed),
            ([12: AppReceiptMaker.date("")], .malformed), ([12: AppReceiptMaker.date("yesterday")], .malformed),
            ([21: AppReceiptMaker.date("2026-11-20T21:37:00Z")], .notFound),
            ([17: AppReceiptMaker.text("no set")], .malformed),
        ] as [([Int: Node], ReceiptRejection.Reason)])
    func `An app receipt with wrong attributes is refused with the reason`(
        _ changes: [Int: Node], _ reason: ReceiptRejection.Reason
    ) async throws {
        let maker = AppReceiptMaker(attributes: AppReceiptMaker.hangman.merging(changes) { $1 })
        try await expect(reason, maker.receipt(by: authority))
    }

    @Test(
        arguments: [
            [1702: AppReceiptMaker.text("")], [1703: AppReceiptMaker.text("12a")], [1705: AppReceiptMaker.text("-1")],
            [1701: .integer(0)], [1701: .integer(-1)], [1701: .integer(1_000_001)],
            [1704: AppReceiptMaker.date("2026-13-20T21:00:00Z")], [1704: AppReceiptMaker.date("99999-01-01T00:00:00Z")],
            [1711: .integer(1), 1708: AppReceiptMaker.text("soon")],
        ] as [[Int: Node]])
    func `An app receipt with an impossible purchase is refused`(_ changes: [Int: Node]) async throws {
        let maker = AppReceiptMaker(purchases: [AppReceiptMaker.words, AppReceiptMaker.words.merging(changes) { $1 }])
        try await expect(.malformed, maker.receipt(by: authority))
    }

    @Test(arguments: [
        ("ProductionVPP", Environment.production), ("ProductionSandbox", .sandbox),
        ("ProductionVPPSandbox", .sandbox),
    ])
    func `The environment of an app receipt follows from its type`(
        _ type: String, _ environment: InAppPurchase.Environment
    ) async throws {
        let changes = [
            0: AppReceiptMaker.text(type), 1: .integer(0), 21: AppReceiptMaker.date("2026-11-20T22:37:01+0100"),
        ]
        let maker = AppReceiptMaker(attributes: AppReceiptMaker.hangman.merging(changes) { $1 })
        let answer = try await authority.verifier.verify(maker.receipt(by: authority), at: .t0)
        #expect(answer.environment == environment)
        #expect(answer.appAppleID == nil)
        try await expect(.notFound, maker.receipt(by: authority), at: .t0 + 1)
    }

    @Test func `The end and the refund of a purchase are read from an app receipt`() async throws {
        let changes = [
            1708: AppReceiptMaker.date("2026-12-20T22:37:00.250+0100"),
            1712: AppReceiptMaker.date("2026-11-20T21:30:00Z"),
        ]
        let maker = AppReceiptMaker(purchases: [AppReceiptMaker.words.merging(changes) { $1 }])
        let answer = try await authority.verifier.verify(maker.receipt(by: authority), at: .t0)
        let transaction = try #require(answer.receipt.transactions.first)
        #expect(transaction.expirationDate == .t0 + 30 * 86_400 + 0.25)
        #expect(transaction.revocation == .init(date: .t0 - 7 * 60))
    }

    /// Both readers agree wherever the first one reads.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func `Attributes in the store's encoding mean the same to a parser of BER`(seed: UInt64) throws {
        var (generator, read) = (SeededGenerator(seed: seed), 0)
        let good = AppReceiptMaker.set(AppReceiptMaker.words, [AppReceiptMaker.attribute(-300, .raw([1]))]).der
        for _ in 0..<2_000 {
            var octets = good
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: 0..<octets.count, using: &generator)
                let octet = UInt8.random(in: .min ... .max, using: &generator)
                octets[place] = generator.pick(octet, 0x80, 0x24, 0x81, 0)
            }
            guard let attributes = try ReceiptAttributes.attributes(inStoreEncoding: octets[...]) else { continue }
            read += 1
            #expect(try ReceiptAttributes.attributes(inBER: octets) == attributes, "\(octets)")
        }
        #expect(read > 500)
    }

    /// Cut anywhere, and what is no receipt at all.
    @Test func `Bytes that are no app receipt are malformed`() async throws {
        let verifier = try authority.verifier
        for encoding in AppReceiptMaker.Encoding.allCases {
            let good = try #require(Data(receiptBase64: try AppReceiptMaker(encoding: encoding).receipt(by: authority)))
            for count in good.indices {
                await #expect(throws: ReceiptRejection(.malformed)) {
                    try await verifier.verify(good.prefix(count).base64EncodedString(), at: .t0)
                }
            }
            try await expect(.malformed, (good + [0]).base64EncodedString())
        }
        let deep = Data(repeating: 0x30, count: 1).base64EncodedString()
        let bomb = Data((0..<200_000).flatMap { _ in [0x30, 0x80] as [UInt8] }).base64EncodedString()
        for text in ["", "AA==", "MAA=", "MIA=", "not base64", deep, bomb] { try await expect(.malformed, text) }
    }
}
