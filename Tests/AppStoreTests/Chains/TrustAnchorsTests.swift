import Crypto
import Foundation
import Testing

@testable import AppStore

@Suite struct TrustAnchorsTests {
    /// The fingerprints at apple.com/certificateauthority.
    @Test func `The root certificates of Apple have the published fingerprints`() throws {
        let apple = try TrustAnchors.apple()
        #expect(
            try apple.signedDataRoots.map { try fingerprint($0.der) }
                == ["63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"])
        #expect(
            try apple.receiptRoots.map { try fingerprint($0.der) }
                == ["b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024"])
    }

    @Test func `Further root certificates are added to those of Apple`() throws {
        let own = try SigningAuthority().anchors
        let both = try TrustAnchors.apple().adding(own)
        #expect(both.signedDataRoots.count == 2)
        #expect(both.signedDataRoots.last == own.signedDataRoots.first)
        #expect(both.receiptRoots.count == 1)
    }

    @Test(arguments: [Data(), Data([0x30]), Data("-----BEGIN CERTIFICATE-----".utf8)])
    func `A root that is no certificate is an error`(_ der: Data) {
        #expect(throws: (any Error).self) { try TrustAnchors(signedDataRoots: [der], receiptRoots: []) }
        #expect(throws: (any Error).self) { try TrustAnchors(signedDataRoots: [], receiptRoots: [der]) }
    }

    private func fingerprint(_ data: Data) -> String {
        SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
    }
}
