import CommandLine
package import Foundation
package import InAppPurchase
import ServerHTTP
import Testing

@testable import Content

/// A ledger that the server of an earlier release made, and what it answered from it: `scripts/ledgers/make.sh` wrote
/// both.
package struct ReleasedLedger: CustomTestStringConvertible, Sendable {
    /// The commit of the release.
    package var testDescription: String

    package static let all = [ReleasedLedger(testDescription: "01e8554")]

    /// A request, and its answer at that time.
    package struct Exchange: Decodable {
        package var path: String
        package var token: String?
        package var status: Int
        /// The server's time (RFC 3339), to the millisecond if the answer has it.
        package var at: String
        package var body: JSONValue

        package init(path: String, token: String? = nil, status: Int, at: String, body: JSONValue) {
            self.path = path
            self.token = token
            self.status = status
            self.at = at
            self.body = body
        }
    }

    package struct Export: Decodable, Equatable {
        package var sha256: String
        package var rows: Int

        package init(sha256: String, rows: Int) {
            self.sha256 = sha256
            self.rows = rows
        }
    }

    package struct Record: Decodable {
        package var exchanges: [Exchange]
        /// The text of `products.json`.
        package var products: String
        /// The files of the content folder by their paths, in base64.
        var content: [String: Data]
        /// The certificate of Xcode's StoreKit testing, in DER.
        package var xcode: Data
        package var export: Export
        /// The output of `audit verify` and `ledger rebuild --check`.
        package var verify: String
        package var check: String
        /// How many rows of each kind there are.
        package var kinds: [String: Int]

        package var keepers: Keepers {
            let asked = exchanges.filter { exchange in
                exchange.body["entitlements"].array.contains { $0["keeps"] == true }
            }
            return Keepers(tokens: Set(asked.compactMap(\.token)), accounts: Set(asked.map { $0.body["account"] }))
        }
    }

    /// The players whose subscription ended with `"afterExpiry": "keep"`.
    package struct Keepers {
        package var tokens: Set<String>
        package var accounts: Set<JSONValue>

        /// A list of deliveries without theirs.
        package func without(_ answer: JSONValue) -> JSONValue {
            .array(answer["deliveries"].array.filter { !accounts.contains($0["account"]) })
        }
    }

    package func record() throws -> Record { try JSONDecoder().decode(Record.self, from: try unpacked("json")) }

    /// Writes the ledger as the release left it.
    ///
    /// - Returns: the path of the file.
    package func write(to folder: URL, as name: String = "ledger.sqlite") throws -> String {
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
    package func writeContent(to folder: URL) throws {
        for (path, data) in content {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
    }
}
