package import Foundation
import InAppPurchase

extension SQLLedger {
    package func value(forKey key: String) async throws -> Data? { try await read { try $0.value(forKey: key) } }

    package func values(withPrefix prefix: String) async throws -> [String: Data] {
        try await read { rows in
            try rows.all(
                "SELECT key, value FROM keyValues WHERE key >= ?1 AND key < ?1 || \(rows.db.dialect.lastCharacter)",
                [prefix]
            )
            .reduce(into: [:]) { $0[try $1["key"]] = try $1["value"] }
        }
    }

    package func establish(_ value: Data, forKey key: String) async throws -> Data {
        try await write { rows in
            try rows.send("INSERT INTO keyValues (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING", [key, value])
            return try rows.value(forKey: key) ?? value
        }
    }

    package func set(_ values: [String: Data]) async throws {
        try await write { rows in
            for (key, value) in values { try rows.set(value, forKey: key) }
        }
    }

    package func removeValues(forKeys keys: [String]) async throws {
        guard !keys.isEmpty else { return }
        try await write { rows in
            for key in keys { try rows.send("DELETE FROM keyValues WHERE key = ?", [key]) }
        }
    }
}

extension LedgerRows {
    func value(forKey key: String) throws -> Data? {
        try one("SELECT value FROM keyValues WHERE key = ?", [key])?["value"]
    }

    func set(_ value: Data, forKey key: String) throws {
        try send(
            """
            INSERT INTO keyValues (key, value) VALUES (?, ?)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value
            """, [key, value])
    }
}
