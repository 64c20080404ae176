import Foundation
import HTTPTypes
import InAppPurchase
package import Ledger
import ServerHTTP

/// The query parameters that filter the rows of the audit trail.
package enum AuditQuery {
    /// The names, in the order in which a form shows them.
    package static let names = ["kind", "actor", "account", "since", "until"]

    /// The kinds of rows, as a list in words.
    package static let kinds = AuditEntry.Kind.allCases.map(\.rawValue).sorted().joined(separator: ", ")

    /// The longest name of an administrator, and of a kind.
    private static let maximumLength = 200

    /// - Parameter parameter: the value of a parameter; `nil` if the request does not have it.
    /// - Throws: 400 for what is no account or time, and for a kind or an actor that is too long; 422 for a kind that
    ///   does not exist.
    package static func filter(_ parameter: (String) -> String?) throws -> AuditFilter {
        func text(_ name: String) throws -> String? {
            guard let text = parameter(name) else { return nil }
            guard (1...maximumLength).contains(text.utf8.count), !text.hasControlCharacters else {
                throw Problem.invalidRequest("\(name): 1 to \(maximumLength) bytes")
            }
            return text
        }
        func time(_ name: String) throws -> Date? {
            guard let text = parameter(name) else { return nil }
            guard let date = ReportTime.date(text) else { throw Problem.invalidRequest("\(name): \(ReportTime.form)") }
            return date
        }
        let account = try parameter("account").map { text in
            guard let account = AccountID(text: text) else { throw Problem.invalidRequest("account: a UUID") }
            return account
        }
        let kind = try text("kind")
        guard kind.map({ AuditEntry.Kind(rawValue: $0) != nil }) ?? true else {
            throw Problem(
                .unprocessableContent, "invalid_request", "There is no such kind of rows", detail: "kind: \(kinds)")
        }
        return AuditFilter(
            kind: kind, actor: try text("actor"), account: account, since: try time("since"),
            until: try time("until"))
    }
}
