import Foundation

@testable import ServerCore

/// The text of a signed transaction.
struct TransactionText: FuzzTarget {
    let signed: SignedData

    init(_ signed: SignedData) { self.signed = signed }

    func test(_ input: Data) {
        guard signed.verified(input) != nil else { return }
        precondition(input == signed.transaction, "a text that nobody signed was believed")
    }
}

/// Header, payload and signature of a transaction, one a line: base64 keeps a fuzzer from finding its way inside.
struct TransactionMembers: FuzzTarget {
    let signed: SignedData

    init(_ signed: SignedData) { self.signed = signed }

    func test(_ input: Data) {
        let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        let jws = Data(lines.map { Data($0).base64URL }.joined(separator: ".").utf8)
        guard signed.verified(jws) != nil else { return }
        precondition(jws == signed.transaction, "members that nobody signed were believed")
    }
}

/// The certificate of a transaction's signer, in DER.
struct TransactionCertificate: FuzzTarget {
    private struct Header: Codable {
        var alg: String
        var x5c: [Data]
    }

    let signed: SignedData
    private let header: Header
    /// Payload and signature, each with the dot before it.
    private let rest: Data

    init(_ signed: SignedData) throws {
        self.signed = signed
        header = try JSONDecoder().decode(Header.self, from: signed.header)
        rest = signed.transaction.drop { $0 != UInt8(ascii: ".") }
    }

    func test(_ input: Data) {
        var forged = header
        forged.x5c[0] = input
        guard let header = try? JSONEncoder().encode(forged), signed.verified(Data(header.base64URL.utf8) + rest) != nil
        else { return }
        precondition(false, "the header is not the one that was signed")
    }
}
