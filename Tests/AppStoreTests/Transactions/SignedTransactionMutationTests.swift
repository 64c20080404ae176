import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// Whatever is done to a genuine signed transaction, it is refused and nothing traps.
@Suite struct SignedTransactionMutationTests {
    let jws: [UInt8]
    let verifier: SignedTransactionVerifier

    init() async throws {
        let authority = try SigningAuthority()
        var x5c = try authority.x5c
        x5c[2] = ""
        jws = Array(
            try authority.jws(hints, header: authority.header.with(["x5c": .array(x5c.map(JSONValue.string))])).utf8)
        verifier = try authority.verifier
        _ = try await verifier.verify(String(decoding: jws, as: UTF8.self), apps: hangman, at: .t0)
    }

    private func isRefused(_ bytes: [UInt8]) async -> Bool {
        do {
            _ = try await verifier.verify(String(decoding: bytes, as: UTF8.self), apps: hangman, at: .t0)
            return false
        } catch {
            return true
        }
    }

    @Test func `A signed transaction with a changed character is refused`() async {
        for position in jws.indices {
            var changed = jws
            changed[position] = changed[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(await isRefused(changed), "position \(position)")
        }
    }

    /// The last character has four unused bits; even these may not vary.
    @Test func `A signed transaction with another last character is refused`() async throws {
        let last = try #require(jws.last)
        for character in UInt8.min ... .max where character != last {
            #expect(await isRefused(jws.dropLast() + [character]), "character \(character)")
        }
    }

    @Test func `A signed transaction that is cut short is refused`() async {
        for length in jws.indices { #expect(await isRefused(Array(jws.prefix(length))), "length \(length)") }
    }

    @Test(arguments: 1...8) func `A signed transaction with several changed bytes is refused`(_ seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var changed = jws
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let position = Int.random(in: jws.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[position] = UInt8.random(in: .min ... .max, using: &random)
                case 1: changed.insert(UInt8(ascii: "."), at: position)
                default: changed.remove(at: position)
                }
            }
            #expect(changed == jws ? true : await isRefused(changed))
        }
    }
}
