public import Foundation
import GRDB
import InAppPurchase

extension SQLiteLedger {
    public func value(forKey key: String) async throws -> Data? {
        try await read { try $0.one("SELECT value FROM keyValues WHERE key = ?", [key])?["value"] }
    }

    public func values(withPrefix prefix: String) async throws -> [String: Data] {
        try await read { rows in
            // No character's UTF-8 has the byte FF, so it comes after all of them.
            try rows.all(
                "SELECT key, value FROM keyValues WHERE key >= ?1 AND key < ?1 || CAST(x'FF' AS TEXT)", [prefix]
            )
            .reduce(into: [:]) { $0[$1["key"]] = $1["value"] }
        }
    }

    public func establish(_ value: Data, forKey key: String) async throws -> Data {
        try await write { rows in
            try rows.run("INSERT INTO keyValues (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING", [key, value])
            return try rows.one("SELECT value FROM keyValues WHERE key = ?", [key])?["value"] ?? value
        }
    }

    public func set(_ values: [String: Data]) async throws {
        try await write { rows in
            for (key, value) in values {
                try rows.run(
                    """
                    INSERT INTO keyValues (key, value) VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET value = excluded.value
                    """, [key, value])
            }
        }
    }
}
