import Crypto
import Foundation
import InAppPurchase
import Testing

@testable import AppStore

/// Invalid signatures (F75; CVE-2022-21449 accepted r = s = 0), and base64 that is not exact.
enum HostileSignatures {
    /// n of P-256 (SEC 2 §2.4.2).
    static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD,
        0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
    static let zero = [UInt8](repeating: 0, count: 32)
    static let one = [UInt8](repeating: 0, count: 31) + [1]
    static let most = [UInt8](repeating: 0xFF, count: 32)

    private static func signed(
        _ name: String, _ reason: ReceiptRejection.Reason?,
        _ change: @escaping @Sendable (_ r: [UInt8], _ s: [UInt8]) -> [UInt8]
    ) -> SignedCase {
        SignedCase(name, reason) { authority in
            let signed = try authority.jws(hints).split(separator: ".").prefix(2).joined(separator: ".")
            let signature = Array(try authority.leafKey.signature(for: Data(signed.utf8)).rawRepresentation)
            return "\(signed).\(Data(change(Array(signature.prefix(32)), Array(signature.suffix(32)))).base64URL)"
        }
    }

    static let values: [SignedCase] = [
        signed("as it is", nil) { $0 + $1 }, signed("r = s = 0", .signature) { _, _ in zero + zero },
        signed("r = 0", .signature) { zero + $1 }, signed("s = 0", .signature) { r, _ in r + zero },
        signed("r = 1", .signature) { one + $1 }, signed("s = 1", .signature) { r, _ in r + one },
        signed("r = s = 1", .signature) { _, _ in one + one }, signed("r = n", .signature) { order + $1 },
        signed("s = n", .signature) { r, _ in r + order }, signed("r = s = n", .signature) { _, _ in order + order },
        signed("r all ones", .signature) { most + $1 }, signed("s all ones", .signature) { r, _ in r + most },
        signed("r and s swapped", .signature) { $1 + $0 }, signed("r twice", .signature) { r, _ in r + r },
        signed("r reversed", .signature) { $0.reversed() + $1 },
        signed("63 bytes", .signature) { $0 + $1.dropLast() }, signed("65 bytes", .signature) { $0 + $1 + [0] },
        signed("a zero before r", .signature) { [0] + $0 + $1 }, signed("only r", .signature) { r, _ in r },
        signed("96 bytes, as of P-384", .signature) { $0 + $1 + zero },
        signed("twice in a row", .signature) { $0 + $1 + $0 + $1 }, signed("one byte", .signature) { _, _ in [0] },
        signed("8,000 bytes", .signature) { _, _ in [UInt8](repeating: 7, count: 8_000) },
        // Each ECDSA signature has a second form. Nothing depends on it: a transaction's ID makes it happen once.
        signed("n - s for s", nil) { $0 + negated($1) },
        SignedCase("in DER", .signature) {
            let signed = try $0.jws(hints).split(separator: ".").prefix(2).joined(separator: ".")
            return "\(signed).\(try $0.leafKey.signature(for: Data(signed.utf8)).derRepresentation.base64URL)"
        },
        SignedCase("of another payload", .signature) {
            let other = try $0.jws(hints.with(["quantity": 1])).split(separator: ".")
            return try $0.jws(hints).split(separator: ".").prefix(2).joined(separator: ".") + "." + other[2]
        },
        SignedCase("of the payload alone", .signature) {
            let parts = try $0.jws(hints).split(separator: ".")
            let signature = try $0.leafKey.signature(for: Data(parts[1].utf8)).rawRepresentation
            return "\(parts[0]).\(parts[1]).\(signature.base64URL)"
        },
        SignedCase("of the decoded payload", .signature) {
            let signature = try $0.leafKey.signature(for: try hints.data).rawRepresentation
            return try $0.jws(hints).split(separator: ".").prefix(2).joined(separator: ".") + "." + signature.base64URL
        },
    ]

    /// n - value, in 32 bytes.
    private static func negated(_ value: [UInt8]) -> [UInt8] {
        var borrow = 0
        return zip(order, value).reversed().map { minuend, subtrahend -> UInt8 in
            let difference = Int(minuend) - Int(subtrahend) - borrow
            borrow = difference < 0 ? 1 : 0
            return UInt8((difference + 256) % 256)
        }.reversed()
    }

    // MARK: the text

    private static func changed(
        _ name: String, _ change: @escaping @Sendable (_ parts: [String]) -> String
    ) -> SignedCase {
        SignedCase(name, .malformed) { change(try $0.jws(hints).split(separator: ".").map(String.init)) }
    }

    /// With a character in the middle of a part.
    private static func inserted(_ character: Character, _ name: String) -> [SignedCase] {
        (0..<3).map { index in
            changed("\(name) in part \(index)") { parts in
                var parts = parts
                parts[index].insert(character, at: parts[index].index(parts[index].startIndex, offsetBy: 8))
                return parts.joined(separator: ".")
            }
        }
    }

    static let texts: [SignedCase] =
        inserted(" ", "a space") + inserted("\n", "a line break") + inserted("=", "padding") + inserted("+", "a plus")
        + inserted("/", "a slash") + inserted("\u{0}", "a zero") + inserted("é", "no ASCII")
        + (0..<3).map { index in
            changed("padded part \(index)") { parts in
                var parts = parts
                parts[index] += String(repeating: "=", count: (4 - parts[index].count % 4) % 4 + 4)
                return parts.joined(separator: ".")
            }
        } + [
            changed("empty") { _ in "" }, changed("one part") { $0[0] }, changed("two parts") { $0[0] + "." + $0[1] },
            changed("four parts") { $0.joined(separator: ".") + ".AA" },
            changed("five parts, as JWE has") { $0.joined(separator: ".") + ".AA.AA" },
            changed("dots alone") { _ in ".." }, changed("empty header") { "." + $0[1] + "." + $0[2] },
            changed("empty payload") { $0[0] + ".." + $0[2] }, changed("empty signature") { $0[0] + "." + $0[1] + "." },
            changed("space before") { " " + $0.joined(separator: ".") },
            changed("line break after") { $0.joined(separator: ".") + "\n" },
            changed("quoted") { "\"" + $0.joined(separator: ".") + "\"" },
            changed("Bearer") { "Bearer " + $0.joined(separator: ".") },
            changed("percent encoded") { $0.joined(separator: "%2E") },
            changed("JSON serialization") {
                "{\"protected\":\"\($0[0])\",\"payload\":\"\($0[1])\",\"signature\":\"\($0[2])\"}"
            },
            changed("a character short") { $0.joined(separator: ".").dropLast().description + "" },
            changed("unused bits") { parts in
                // The last of 86 characters has four unused bits; A, Q, g and w are those with zeros there.
                let zeros = Array("AQgw"), ones = Array("BRhx")
                let last = parts[2].last.flatMap(zeros.firstIndex) ?? 0
                return "\(parts[0]).\(parts[1]).\(parts[2].dropLast())\(ones[last])"
            },
        ]
}

@Suite struct HostileSignatureTests {
    @Test(arguments: HostileSignatures.values + HostileSignatures.texts)
    func `Invalid and inexactly encoded signatures are refused`(_ hostile: SignedCase) async throws {
        try await hostile.expect()
    }
}
