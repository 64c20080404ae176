import Basics
import Crypto
import Foundation
import StrictJSON
import TestSupport
import Testing

@testable import Content

@Suite struct GrantSignerTests {
    static let start = Date(timeIntervalSince1970: 1_800_000_000.75)
    static let sha256 = String(repeating: "0123456789abcdef", count: 4)

    let signer: GrantSigner
    let expires = GrantSigner.expiry(at: Self.start)
    let grant: String

    init() {
        let key = GrantKey(number: 7, created: .distantPast, secret: SymmetricKey(data: Data(repeating: 3, count: 32)))
        signer = GrantSigner(keys: GrantKeys(newest: key, previous: nil))
        grant = signer.grant(for: Self.sha256, expires: expires, at: Self.start)
    }

    private func opens(_ grant: String, sha256: String = Self.sha256, at date: Date = Self.start) -> Bool {
        signer.opens(sha256, with: grant, at: date)
    }

    @Test func `A signed link opens its content until it expires`() {
        #expect(expires == Date(timeIntervalSince1970: 1_800_000_900) && GrantSigner.lifetime == 900)
        #expect(opens(grant))
        #expect(opens(grant, at: expires - 0.001))
        #expect(!opens(grant, at: expires))
        #expect(!opens(grant, at: .distantFuture))
    }

    @Test func `A link's signature is URL-safe and the same for the same arguments`() {
        #expect(grant.wholeMatch(of: /7\.1800000900\.[A-Za-z0-9_-]{43}/) != nil)
        #expect(grant == signer.grant(for: Self.sha256, expires: expires + 0.9, at: Self.start))
        #expect(grant != signer.grant(for: Self.sha256, expires: expires + 1, at: Self.start))
    }

    /// The code is HMAC-SHA256 (RFC 2104) of what is before it and the content's hash.
    @Test func `The code in a link is the documented HMAC`() throws {
        let code = String(try #require(grant.split(separator: ".").last))
        let base64 = code.replacing("-", with: "+").replacing("_", with: "/") + "="
        let key = SymmetricKey(data: Data(repeating: 3, count: 32))
        #expect(
            HMAC<SHA256>.isValidAuthenticationCode(
                try #require(Data(base64Encoded: base64)),
                authenticating: Data("7.1800000900.\(Self.sha256)".utf8), using: key))
    }

    @Test func `A link with an altered character is refused`() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~+/=% "
        for index in grant.indices {
            for character in alphabet where character != grant[index] {
                var altered = grant
                altered.replaceSubrange(index...index, with: [character])
                if opens(altered) { Issue.record("\(altered)") }
            }
        }
    }

    @Test func `A link with a missing, doubled or added character is refused`() {
        for index in grant.indices {
            var (shorter, longer) = (grant, grant)
            shorter.remove(at: index)
            longer.insert(grant[index], at: index)
            #expect(!opens(shorter) && !opens(longer) && !opens(String(grant[..<index])))
        }
        for tail in ["=", ".", "A", " ", "\n", "\0", "\u{301}", "&x=1"] { #expect(!opens(grant + tail)) }
        for head in ["0", "+", "-", " ", "."] { #expect(!opens(head + grant)) }
    }

    @Test(arguments: ["0", "+", "00", " ", "-"])
    func `A link with another spelling of a number is refused`(_ sign: String) throws {
        let parts = grant.split(separator: ".").map(String.init)
        #expect(!opens([parts[0], sign + parts[1], parts[2]].joined(separator: ".")))
        #expect(!opens([sign + parts[0], parts[1], parts[2]].joined(separator: ".")))
    }

    @Test func `A link opens no other content`() {
        #expect(!opens(grant, sha256: String(repeating: "0", count: 64)))
        #expect(!opens(grant, sha256: Self.sha256.uppercased()))
        #expect(!opens(grant, sha256: ""))
        #expect(!opens(grant, sha256: Self.sha256 + "\0"))
    }

    @Test func `A link signed by another key is refused`() {
        for (number, byte) in [(7, 4), (8, 3)] as [(Int, UInt8)] {
            let secret = SymmetricKey(data: Data(repeating: byte, count: 32))
            let key = GrantKey(number: number, created: .distantPast, secret: secret)
            let signer = GrantSigner(keys: GrantKeys(newest: key, previous: nil))
            #expect(!signer.opens(Self.sha256, with: grant, at: Self.start))
        }
    }

    @Test(arguments: [
        "", ".", "..", "...", "7", "7.1.", "7.99999999999999999999.x", "99999999999999999999.1.x", "7.-1.x",
        "7.9223372036854775807.AAAA", String(repeating: ".", count: 1_000_000), String(repeating: "7", count: 200),
    ])
    func `A malformed link signature is refused`(_ text: String) { #expect(!opens(text)) }

    @Test func `No text opens content or traps in place of a link signature`() {
        var generator = SeededGenerator(seed: 5)
        let pieces = ["7", ".", "1800000900", "-", "9223372036854775808", grant, "é", "\0", "=", "+"]
        for _ in 0..<20_000 {
            let text = generator.text(of: pieces, upTo: 6)
            if opens(text), text != grant { Issue.record("\(text)") }
        }
    }

    @Test func `Extreme dates of links do not trap`() {
        for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
            let date = Date(timeIntervalSince1970: seconds)
            let grant = signer.grant(for: Self.sha256, expires: GrantSigner.expiry(at: date), at: date)
            #expect(!opens(grant))
        }
    }
}
