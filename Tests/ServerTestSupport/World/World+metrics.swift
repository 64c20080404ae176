import CommandLine
import Foundation
import GRDB
import HTTPTypes
import LedgerSQL
import LedgerSQLite
import PrometheusMetrics
import Testing

/// The samples of one scrape, by name and labels as they are written.
package struct Scrape: CustomStringConvertible {
    package var samples: [String: String]
    package var types: [String: String]

    package init(_ text: String) {
        samples = [:]
        types = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if line.hasPrefix("# TYPE ") {
                types[words[2]] = words[3]
            } else if !line.hasPrefix("#"), let value = words.last {
                samples[words.dropLast().joined(separator: " ")] = value
            }
        }
    }

    package subscript(_ sample: String) -> String? { samples[sample] }

    /// The series, each histogram by its count alone.
    package var series: Set<String> {
        Set(
            samples.keys.filter {
                !$0.contains("_bucket{") && !$0.contains("_seconds_sum") && !$0.contains("_writes_sum")
            })
    }

    /// How many commits were in each of the three phases.
    package var commits: [Int] {
        ["wait", "work", "commit"].compactMap { phase in
            samples["quartermaster_ledger_write_duration_seconds_count{phase=\"\(phase)\"}"].flatMap(Int.init)
        }
    }

    package var description: String { samples.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: "\n") }
}

extension World {
    /// Breaks the ledger: everything that needs these tables fails from now on.
    package func loseTables(_ names: String...) async throws {
        let writer = try #require(ledger as? SQLLedger).writer
        for name in names {
            try await writer.write { try $0.execute(sql: "ALTER TABLE \(name) RENAME TO lost_\(name)") }
        }
    }

    package func scrape() async throws -> Scrape {
        let answer = try await call(.get, "/metrics")
        #expect(answer.status == 200 && answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        return Scrape(String(decoding: answer.bytes, as: UTF8.self))
    }
}
