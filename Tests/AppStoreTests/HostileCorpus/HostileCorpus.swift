import Crypto
import Foundation
import InAppPurchase
import Testing

@testable import AppStore

/// Something that somebody may send, by name, and what must come of it.
struct HostileCase<Authority: Sendable>: Sendable, CustomTestStringConvertible {
    var name: String
    /// The reason to refuse it; nil if it is good, however odd it looks.
    var reason: ReceiptRejection.Reason?
    /// Whether it is genuine and from the future: neither good nor refused, but to be judged later.
    var isFromTheFuture = false
    var make: @Sendable (Authority) throws -> String

    var fromTheFuture: Self {
        var copy = self
        copy.isFromTheFuture = true
        return copy
    }

    init(_ name: String, _ reason: ReceiptRejection.Reason?, _ make: @escaping @Sendable (Authority) throws -> String) {
        self.name = name
        self.reason = reason
        self.make = make
    }

    var testDescription: String { name }

    func expect(
        _ verify: (String) async throws -> Void, of authority: Authority,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let content = try make(authority)
        do {
            try await verify(content)
            #expect(reason == nil && !isFromTheFuture, "taken: \(name)", sourceLocation: sourceLocation)
        } catch let error as ReceiptRejection {
            #expect(
                error.reason == reason && !isFromTheFuture, "\(name): \(error.detail)", sourceLocation: sourceLocation)
        } catch let error as VerifierUnavailable {
            #expect(error.date != nil && isFromTheFuture, "\(name)", sourceLocation: sourceLocation)
        }
    }
}

typealias SignedCase = HostileCase<SigningAuthority>

extension SignedCase {
    /// One authority and verifier for all, as in the server: the chain is known, and the rest is judged anew.
    private static let known = Result {
        let authority = try SigningAuthority()
        return (authority, try authority.verifier)
    }

    func expect(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let (authority, verifier) = try Self.known.get()
        try await expect(
            { jws in _ = try await verifier.verify(jws, apps: hangman, at: .t0) },
            of: authority, sourceLocation: sourceLocation)
    }
}

extension SigningAuthority {
    /// Signs a text as it is, which an encoder would never write.
    func jws(rawHeader: String? = nil, rawPayload: String) throws -> String {
        try jws(headerBytes: rawHeader.map { Data($0.utf8) }, payloadBytes: Data(rawPayload.utf8))
    }

    /// Signs bytes that are no text.
    func jws(headerBytes: Data? = nil, payloadBytes: Data) throws -> String {
        let signed = try [headerBytes ?? header.data, payloadBytes].map(\.base64URL).joined(separator: ".")
        return "\(signed).\(try leafKey.signature(for: Data(signed.utf8)).rawRepresentation.base64URL)"
    }

    /// The text of the certificates' array.
    var x5cText: String {
        get throws { String(decoding: try JSONValue.array(x5c.map(JSONValue.string)).data, as: UTF8.self) }
    }
}

extension JSONValue {
    /// The text of an object, without the last brace.
    var open: String { get throws { String(String(decoding: try data, as: UTF8.self).dropLast()) } }
}
