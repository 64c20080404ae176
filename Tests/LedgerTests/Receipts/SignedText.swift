import Foundation
import TestSupport

/// Texts in the form of signed transactions (JWS, RFC 7515), whose signatures nobody can verify.
enum SignedText {
    static let signature = base64URL(Data(repeating: 0x5a, count: 64))

    static func base64URL(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    static func random(header: String = "eyJhbGciOiJFUzI1NiJ9", using generator: inout SeededGenerator) -> String {
        func number() -> Int { Int.random(in: 1...2_000_000_000_000_000, using: &generator) }
        var members = [#""transactionId":"\#(number())""#, #""productId":"com.example.\#(number())""#]
        for name in ["originalTransactionId", "bundleId", "deviceVerification", "price", "naïve ☃"]
        where Bool.random(using: &generator) { members.append(#""\#(name)":\#(number())"#) }
        members.shuffle(using: &generator)
        let payload = Data("{\(members.joined(separator: ","))}".utf8)
        let signature = Data((0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) })
        return [header, base64URL(payload), base64URL(signature)].joined(separator: ".")
    }
}
