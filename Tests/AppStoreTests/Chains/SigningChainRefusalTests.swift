import Crypto
import Foundation
import InAppPurchase
import SwiftASN1
import Testing
import X509

@testable import AppStore

/// Certificates that are not those of the store's signing.
@Suite struct SigningChainRefusalTests {
    let authority: SigningAuthority

    init() throws { authority = try SigningAuthority() }

    @Test func `A transaction under a foreign root is refused`() async throws {
        try await authority.expect(.chain, SigningAuthority().jws(hints))
    }

    @Test(arguments: [
        SigningAuthority.Options(leafMarker: false), .init(intermediateMarker: false),
        .init(intermediateIsAuthority: false), .init(leafKeyUsage: KeyUsage(keyCertSign: true)),
        .init(intermediateKeyUsage: KeyUsage(digitalSignature: true)),
        .init(leafPublicKey: .init(P384.Signing.PrivateKey().publicKey)),
        .init(leafPublicKey: .init(P521.Signing.PrivateKey().publicKey)),
        .init(leafPublicKey: .init(Curve25519.Signing.PrivateKey().publicKey)),
    ])
    func `Certificates that may not sign for the store are refused`(_ options: SigningAuthority.Options) async throws {
        let authority = try SigningAuthority(options)
        try await authority.expect(.chain, authority.jws(hints))
    }

    @Test func `A leaf certificate with an RSA key is refused`() async throws {
        let authority = try SigningAuthority(.init(leafPublicKey: try .init(pemEncoded: rsaPublicKey)))
        try await authority.expect(.chain, authority.jws(hints))
    }

    @Test func `Certificates in another order are refused`() async throws {
        let x5c = try authority.x5c
        for order in [[1, 0, 2], [0, 2, 1], [0, 0, 2], [2, 1, 0], [1, 2, 2]] {
            let header = try authority.header.with(["x5c": .array(order.map { .string(x5c[$0]) })])
            try await authority.expect(.chain, authority.jws(hints, header: header))
        }
    }

    /// A developer's certificate under the same root, whose owner poses as the intermediate.
    @Test func `A leaf certificate cannot issue another leaf`() async throws {
        let other = try SigningAuthority()
        let x5c = try [other.leaf, authority.leaf, authority.root].map {
            JSONValue.string(try $0.der.base64EncodedString())
        }
        try await authority.expect(.chain, other.jws(hints, header: other.header.with(["x5c": .array(x5c)])))
    }

    @Test(arguments: [
        SigningAuthority.Options(leafNotAfter: .t0 - 1), .init(intermediateNotAfter: .t0 - 1),
    ])
    func `Certificates that had expired at the signing are refused`(_ options: SigningAuthority.Options) async throws {
        let authority = try SigningAuthority(options)
        try await authority.expect(.expiredCertificate, authority.jws(hints))
    }

    @Test(arguments: [0, Date.t0.milliseconds - 2 * 86_400_000])
    func `Certificates that were not yet valid at the signing are refused`(_ signedDate: Int) async throws {
        let payload = hints.with(["signedDate": .integer(signedDate)])
        try await authority.expect(.expiredCertificate, authority.jws(payload))
    }
}

/// A public key made for this test; nobody has the private key.
private let rsaPublicKey = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtZNRafvFyGEQ4pTJij9G
    JDB8cLYiRSPBoNJ9v7TY0Gxj/MrRa3vv/5nk9gKrw2/Xiq7wUPDn3blwciGOEDBh
    k9VLrwmJGpi1BPqt5Ios9qo5eFVin6zujOCFwiN3cB3D4FlYk+YkxJuXrqsY4iL+
    JcZiKxjGhqMc4dM9HrEgrZ4mkFXymv3w25IuCJC8q3QZ9meBS1p/HA5RERGDRFTn
    7qYBxLIOMJyAMzq3VgFwMZIakhc+GcnltPOfq4PIc0AbBoLVAXc5sj15l+zQMN/v
    gNXqNoJOUVA3N/qIc35cY1EkGn/CvuXHgBiHRLHL/LXySufMjaYi0ZqkpfhsDE2u
    vQIDAQAB
    -----END PUBLIC KEY-----
    """
