package import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    package func createAdminToken(_ token: AdminToken, digest: Data, by actor: AuditActor) async throws {
        try await write { rows in
            let known = try rows.one(
                "SELECT 1 FROM adminTokens WHERE name = ? AND revokedAt IS NULL", [token.name])
            guard known == nil else { throw LedgerRefusal.nameTaken }
            try rows.send(
                "INSERT INTO adminTokens (token, name, role, createdAt) VALUES (?, ?, ?, ?)",
                [digest, token.name, token.role.rawValue, token.createdAt.milliseconds])
            try rows.append(
                AuditEntry(
                    .adminTokenCreated, by: actor, subject: token.name, content: ["role": .string(token.role.rawValue)],
                    at: token.createdAt))
        }
    }

    package func adminToken(digest: Data) async throws -> AdminToken? {
        try await read {
            try $0.one("SELECT * FROM adminTokens WHERE token = ? AND revokedAt IS NULL", [digest])
                .map(AdminToken.init)
        }
    }

    package func adminTokens() async throws -> [AdminToken] {
        try await read { try $0.all("SELECT * FROM adminTokens ORDER BY createdAt, name", []).map(AdminToken.init) }
    }

    package func revokeAdminToken(named name: String, by actor: AuditActor, at date: Date) async throws -> Bool {
        try await write { rows in
            let revoked = try rows.one(
                "UPDATE adminTokens SET revokedAt = ? WHERE name = ? AND revokedAt IS NULL RETURNING name",
                [date.milliseconds, name])
            guard revoked != nil else { return false }
            try rows.append(AuditEntry(.adminTokenRevoked, by: actor, subject: name, at: date))
            return true
        }
    }
}

extension AdminToken {
    fileprivate init(_ row: SQLRow) throws {
        guard let role = Role(rawValue: try row["role"]) else {
            throw LedgerUnavailable("unknown role of an admin token")
        }
        try self.init(
            name: row["name"], role: role, createdAt: row.date("createdAt"), revokedAt: row.dateIfAny("revokedAt"))
    }
}
