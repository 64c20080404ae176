import Foundation
import InAppPurchase
import Testing

@testable import CommandLine
@testable import Content
@testable import ServerHTTP

/// A ledger that the server of an earlier release made, and what it answered from it: `scripts/ledgers/make.sh` wrote
/// both.
struct ReleasedLedger: CustomTestStringConvertible, Sendable {
    /// The commit of the release.
    var testDescription: String

    static let all = [ReleasedLedger(testDescription: "01e8554")]

    /// A request, and its answer at that time.
    struct Exchange: Decodable {
        var path: String
        var token: String?
        var status: Int
        /// The server's time (RFC 3339), to the millisecond if the answer has it.
        var at: String
        var body: JSONValue
    }

    struct Export: Decodable, Equatable {
        var sha256: String
        var rows: Int
    }

    struct Record: Decodable {
        var exchanges: [Exchange]
        /// The text of `products.json`.
        var products: String
        /// The files of the content folder by their paths, in base64.
        var content: [String: Data]
        /// The certificate of Xcode's StoreKit testing, in DER.
        var xcode: Data
        var export: Export
        /// The output of `audit verify` and `ledger rebuild --check`.
        var verify: String
        var check: String
        /// How many rows of each kind there are.
        var kinds: [String: Int]

        var keepers: Keepers {
            let asked = exchanges.filter { exchange in
                exchange.body["entitlements"].array.contains { $0["keeps"] == true }
            }
            return Keepers(tokens: Set(asked.compactMap(\.token)), accounts: Set(asked.map { $0.body["account"] }))
        }
    }

    /// The players whose subscription ended with `"afterExpiry": "keep"`.
    struct Keepers {
        var tokens: Set<String>
        var accounts: Set<JSONValue>

        /// A list of deliveries without theirs.
        func without(_ answer: JSONValue) -> JSONValue {
            .array(answer["deliveries"].array.filter { !accounts.contains($0["account"]) })
        }
    }

    func record() throws -> Record { try JSONDecoder().decode(Record.self, from: try unpacked("json")) }

    /// Writes the ledger as the release left it.
    ///
    /// - Returns: the path of the file.
    func write(to folder: URL, as name: String = "ledger.sqlite") throws -> String {
        let file = folder.appending(path: name)
        try unpacked("sqlite").write(to: file)
        return file.path
    }

    private func unpacked(_ ending: String) throws -> Data {
        let name = Project.folder("Tests/Fixtures/Ledgers/\(testDescription).\(ending).zst")
        let packed = try Data(contentsOf: URL(filePath: name))
        let decoder = try ZstdDecoder()
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
        defer { chunk.deallocate() }
        return try packed.withUnsafeBytes { bytes in
            var (rest, data) = (bytes[...], Data())
            while true {
                let step = try decoder.step(UnsafeRawBufferPointer(rebasing: rest), isLast: true, into: chunk)
                data += chunk.prefix(step.put)
                rest = rest.dropFirst(step.consumed)
                if step.isComplete { return data }
                try #require(step.put > 0 || step.consumed > 0, "\(name) is cut off")
            }
        }
    }
}

extension ReleasedLedger.Record {
    func writeContent(to folder: URL) throws {
        for (path, data) in content {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
    }
}
