import Foundation
import Testing

@testable import QuartermasterClient

/// The server's word, as a device accepts and stores it.
@Suite struct EntitlementCacheTests {
    private static let account = UUID()
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let folder = FileManager.default.temporaryDirectory.appending(path: "qm-cache-\(UUID().uuidString)")
    private let request = APIRequest(.get, "v1", "entitlements")

    private func cache() -> EntitlementCache { EntitlementCache(folder: folder, bundleID: "app", trust: KeyTrust()) }

    private func answer(
        account: UUID = account, app: String = "app", environment: String = "Production", at age: TimeInterval = 0,
        nonce: String? = nil
    ) throws -> EntitlementCache.Answer {
        let at = Self.start + age
        let nonce = nonce.map { #","nonce":"\#($0)""# } ?? ""
        let payload =
            #"{"account":"\#(account)","at":"\#(at.formatted(.iso8601))","bundleID":"\#(app)","#
            + #""entitlements":[],"environment":"\#(environment)","#
            + #""freshUntil":"\#((at + 7 * 86_400).formatted(.iso8601))"\#(nonce)}"#
        let statement = try JSONDecoder().decode(SignedEntitlements.self, from: Data(payload.utf8))
        return .init(signed: payload, statement: statement, etag: "\"\(age)\"")
    }

    private func accept(
        _ answer: EntitlementCache.Answer, to question: EntitlementCache.Question, _ cache: inout EntitlementCache,
        in environment: StoreEnvironment? = nil
    ) throws -> Bool? {
        try cache.accept(answer, to: question, of: Self.account, in: environment, at: Self.start)
    }

    @Test func `The first question has a nonce, the next ones a tag until half of the life is over`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var cache = cache()
        let first = cache.ask(request, at: Self.start, makeNonce: { "n" })
        #expect(first.nonce == "n" && first.request.headers["Quartermaster-Nonce"] == "n" && !first.isConditional)
        #expect(try nil != accept(answer(nonce: "n"), to: first, &cache))
        for (age, tag) in [(0, "\"0.0\""), (3.5 * 86_400 - 1, "\"0.0\""), (3.5 * 86_400, nil), (8 * 86_400, nil)] {
            let question = cache.ask(request, at: Self.start + age, makeNonce: { "n" })
            #expect(question.request.headers["If-None-Match"] == tag && question.nonce == nil, "\(age)")
        }
        cache.refuse(.signature)
        let after = cache.ask(request, at: Self.start, makeNonce: { "m" })
        #expect(after.nonce == "m" && !after.isConditional, "what is known is not confirmed after a refusal")
        #expect(cache.value != nil)
    }

    @Test func `What is about something else, or old, is refused, and what was known stays`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var cache = cache()
        let first = cache.ask(request, at: Self.start, makeNonce: { "n" })
        #expect(try nil != accept(answer(at: 10, nonce: "n"), to: first, &cache))
        let question = cache.ask(request, at: Self.start, makeNonce: { "" })
        let refused: [(EntitlementCache.Answer, EntitlementRefusal)] = [
            (try answer(account: UUID(), at: 20), .otherAccount), (try answer(app: "other", at: 20), .otherApp),
            (try answer(environment: "Sandbox", at: 20), .otherEnvironment),
            (try answer(at: 20, nonce: "yesterday's"), .otherRequest), (try answer(at: 9), .older),
        ]
        for (answer, refusal) in refused {
            #expect(throws: refusal) { try accept(answer, to: question, &cache) }
            #expect(cache.value?.at == Self.start + 10)
        }
        #expect(try nil != accept(answer(at: 10), to: question, &cache), "as old is as good")
        let sandbox = cache.ask(request, at: Self.start, makeNonce: { "" })
        #expect(try nil != accept(answer(environment: "Sandbox", at: 11), to: sandbox, &cache, in: .sandbox))
        let nonce = EntitlementCache.Question(request: request, number: 9, nonce: "now")
        #expect(throws: EntitlementRefusal.otherRequest) { try accept(answer(at: 30), to: nonce, &cache) }
    }

    @Test func `Nobody confirms what was not asked`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var cache = cache()
        let first = cache.ask(request, at: Self.start, makeNonce: { "n" })
        #expect(throws: EntitlementRefusal.unsigned) { try cache.confirm(first, at: Self.start) }
        #expect(try nil != accept(answer(nonce: "n"), to: first, &cache))
        let second = cache.ask(request, at: Self.start, makeNonce: { "" })
        #expect(try cache.confirm(second, at: Self.start + 5) && cache.checkedAt == Self.start + 5)
        #expect(try !cache.confirm(second, at: Self.start + 9), "answered already")
    }

    @Test func `The answer to an earlier question replaces no later one, nor one after the account changed`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var cache = cache()
        let (first, second) = (
            cache.ask(request, at: Self.start, makeNonce: { "1" }),
            cache.ask(request, at: Self.start, makeNonce: { "2" })
        )
        #expect(try nil != accept(answer(at: 2, nonce: "2"), to: second, &cache))
        #expect(try nil == accept(answer(at: 3, nonce: "1"), to: first, &cache))
        #expect(cache.value?.at == Self.start + 2)
        let before = cache.ask(request, at: Self.start, makeNonce: { "" })
        cache.remove()
        #expect(try nil == accept(answer(at: 4), to: before, &cache))
        #expect(cache.value == nil && cache.checkedAt == nil)
        // What another account had does not count as older.
        let other = cache.ask(request, at: Self.start, makeNonce: { "3" })
        #expect(try nil != accept(answer(at: 1, nonce: "3"), to: other, &cache))
    }

    @Test func `What belongs to another account or environment is dropped`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for (account, environment, refusal) in [
            (Self.account, StoreEnvironment?.none, EntitlementRefusal?.none), (Self.account, .production, nil),
            (UUID(), nil, .otherAccount), (Self.account, .sandbox, .otherEnvironment),
        ] {
            var cache = cache()
            let question = cache.ask(request, at: Self.start, makeNonce: { "n" })
            #expect(try nil != accept(answer(nonce: "n"), to: question, &cache))
            cache.restrict(to: account, in: environment)
            #expect((cache.value == nil) == (refusal != nil) && cache.refusal == refusal)
        }
    }

    /// A list of keys that a root signed for an earlier time, or another root, or nobody.
    @Test func `Only keys for which a root vouches are trusted`() throws {
        let (root, second, key, other) = (TestSigner(), TestSigner(), TestSigner(), TestSigner())
        let trust = KeyTrust(roots: [root.x, second.x])
        for signer in [root, second] {
            let answer = signer.vouching(for: [key], version: 3, until: Self.start)
            let keys = try trust.keys(in: answer)
            #expect(Array(keys.keys.keys) == [key.id] && keys.version == 3 && keys.expires == Self.start)
        }
        for answer in [other.vouching(for: [key], version: 3, until: Self.start), key.keys, Data(#"{"keys":[]}"#.utf8)]
        {
            #expect(throws: DownloadError.signature) { try trust.keys(in: answer) }
        }
        #expect(try Array(KeyTrust().keys(in: key.keys).keys.keys) == [key.id])
        var pinned = trust
        pinned.pinned = [other.id]
        let both = root.vouching(for: [key, other], version: 1, until: Self.start)
        #expect(try Array(pinned.keys(in: both).keys.keys) == [other.id])
    }
}
