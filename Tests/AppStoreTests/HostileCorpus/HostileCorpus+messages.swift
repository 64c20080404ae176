import Foundation
import InAppPurchase
import SwiftASN1
import Testing

@testable import AppStore

/// PKCS#7 around an app receipt that is not the store's, or not a receipt at all (F80).
extension HostileReceipts {
    private static func made(
        _ name: String, _ reason: ReceiptRejection.Reason?,
        _ make: @escaping @Sendable (ReceiptAuthority, inout Maker) throws -> Void
    ) -> ReceiptCase {
        ReceiptCase(name, reason) { authority in
            var maker = Maker()
            try make(authority, &maker)
            return try maker.receipt(by: authority)
        }
    }

    static let messages: [ReceiptCase] = [
        made("as it is", nil) { _, _ in }, made("in BER", nil) { $1.encoding = .ber },
        made("wrapped twice", nil) { $1.isWrappedTwice = true },
        made("signed attributes", nil) { $1.hasSignedAttributes = true },
        made("enveloped data", .malformed) { $1.messageType = [1, 2, 840, 113_549, 1, 7, 3] },
        made("signed data in signed data", .malformed) { $1.contentType = SignedDataMessage.signedData },
        made("no signer", .malformed) { $1.signers = 0 }, made("two signers", .malformed) { $1.signers = 2 },
        made("no certificates", .chain) { $1.certificates = [] },
        made("the leaf alone", .chain) { $1.certificates = [$0.leaf] },
        made("no leaf", .chain) { $1.certificates = [$0.intermediate, $0.root] },
        made("no root", nil) { $1.certificates = [$0.intermediate, $0.leaf] },
        made("the leaf eight times", .chain) { $1.certificates = Array(repeating: $0.leaf, count: 8) },
        made("nine certificates", .malformed) { $1.certificates = Array(repeating: $0.leaf, count: 9) },
        made("a foreign root beside", nil) {
            $1.certificates = [$0.leaf, $0.intermediate, try ReceiptAuthority(name: "Evil").root]
        },
        made("a revocation list", nil) { $1.revocationLists = [.primitive(5, [])] },
        made("20,000 revocation lists", .malformed) {
            $1.revocationLists = Array(repeating: .primitive(5, []), count: 20_000)
        },
        made("MD5", .malformed) { $1.digestIdentifier = [1, 2, 840, 113_549, 2, 5] },
        made("SHA-512", .malformed) { $1.digestIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 3] },
        made("the name of another digest", .signature) { $1.digestIdentifier = [1, 3, 14, 3, 2, 26] },
        made("no signature", .signature) { $1.signature = [] },
        made("a signature of zeros", .signature) { $1.signature = Array(repeating: 0, count: 256) },
        made("a signature of ones", .signature) { $1.signature = Array(repeating: 0xFF, count: 256) },
        made("a signature of 1", .signature) { $1.signature = Array(repeating: 0, count: 255) + [1] },
        made("a signature of 257 bytes", .signature) { $1.signature = [0] + (try $0.sign($1.content, $1.digest)) },
        made("a signature of 100,000 bytes", .signature) { $1.signature = Array(repeating: 7, count: 100_000) },
        made("the signature of other content", .signature) { $1.signature = try $0.sign([1, 2, 3], $1.digest) },
        ReceiptCase("another authority", .chain) { _ in
            try Maker().receipt(by: ReceiptAuthority(name: "Other Root"))
        },
        ReceiptCase("the leaf without the marker", .chain) { _ in
            try Maker().receipt(by: ReceiptAuthority(.init(leafMarker: false)))
        },
        ReceiptCase("the content without a signature", .malformed) { _ in
            Data(Maker().content).base64EncodedString()
        },
        ReceiptCase("a hand-made sequence with an ID", .malformed) { _ in
            Data(Node.sequence(Maker.text("2000000847061981")).der).base64EncodedString()
        },
    ]

    private static func file(
        _ name: String, _ reason: ReceiptRejection.Reason?, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> ReceiptCase {
        ReceiptCase(name, reason) { Data(change(try Maker().message(by: $0).der)).base64EncodedString() }
    }

    private static func text(
        _ name: String, _ reason: ReceiptRejection.Reason?, _ change: @escaping @Sendable (String) -> String
    ) -> ReceiptCase {
        ReceiptCase(name, reason) { change(try Maker().receipt(by: $0)) }
    }

    /// First come the tag 0x30, 0x82, and two bytes of length.
    static let files: [ReceiptCase] = [
        file("a byte after it", .malformed) { $0 + [0] }, file("a receipt after it", .malformed) { $0 + $0 },
        file("a byte short", .malformed) { $0.dropLast() }, file("cut to its head", .malformed) { Array($0.prefix(4)) },
        file("a length a byte too long", .malformed) { $0.prefix(3) + [$0[3] &+ 1] + $0.dropFirst(4) },
        file("a length a byte too short", .malformed) { $0.prefix(3) + [$0[3] &- 1] + $0.dropFirst(4) },
        file("2^31 bytes", .malformed) { [0x30, 0x84, 0x80, 0, 0, 0] + $0.dropFirst(4) },
        file("2^32 - 1 bytes", .malformed) { [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF] + $0.dropFirst(4) },
        file("2^63 - 1 bytes", .malformed) {
            [0x30, 0x88, 0x7F] + [UInt8](repeating: 0xFF, count: 7) + $0.dropFirst(4)
        },
        file("2^64 bytes", .malformed) { [0x30, 0x89, 1] + [UInt8](repeating: 0, count: 8) + $0.dropFirst(4) },
        file("a length in more bytes than it needs", nil) { [0x30, 0x83, 0, $0[2], $0[3]] + $0.dropFirst(4) },
        file("an indefinite length with its end", nil) { [0x30, 0x80] + $0.dropFirst(4) + [0, 0] },
        file("an indefinite length without its end", .malformed) { [0x30, 0x80] + $0.dropFirst(4) },
        file("an indefinite length with half its end", .malformed) { [0x30, 0x80] + $0.dropFirst(4) + [0] },
        file("an indefinite length that is primitive", .malformed) { [0x10, 0x80] + $0.dropFirst(4) + [0, 0] },
        file("a set around it", .malformed) { [0x31] + $0.dropFirst() },
        file("a sequence around it", .malformed) { Node.sequence(.raw($0)).der },
        file("20,000 sequences", .malformed) { _ in (0..<20_000).flatMap { _ in [0x30, 0x80] as [UInt8] } },
        file("zeros", .malformed) { [UInt8](repeating: 0, count: $0.count) },
        file("ones", .malformed) { [UInt8](repeating: 0xFF, count: $0.count) },
        text("empty", .malformed) { _ in "" }, text("line breaks", nil) { $0.map { "\($0)\r\n" }.joined() },
        text("spaces for plus signs", nil) { $0.replacing("+", with: " ") },
        text("PEM", .malformed) { "-----BEGIN PKCS7-----\n\($0)\n-----END PKCS7-----" },
        text("base64url", .malformed) { $0.replacing("+", with: "-").replacing("/", with: "_") + "-_" },
        text("padding in the middle", .malformed) { "\($0.prefix(8))==\($0.dropFirst(8))" },
        text("base64 of base64", .malformed) { Data($0.utf8).base64EncodedString() },
        text("percent encoded", .malformed) { $0.replacing("/", with: "%2F") + "%3D" },
        text("a data URL", .malformed) { "data:application/pkcs7-mime;base64," + $0 },
        text("a zero", .malformed) { $0 + "\u{0}" }, text("JSON", .malformed) { "{\"receipt-data\":\"\($0)\"}" },
        text("more than 3 MiB", .malformed) { $0 + String(repeating: "\n", count: Receipt.maximumSize) },
    ]
}
