package import Foundation
import InAppPurchase
package import Ledger
import ServerHTTP

/// A page of testers, as `GET /admin/v1/testers` returns it: the accounts that an administrator made testers, newest
/// first. Testers that the settings name are not included.
package struct TesterListBody: Encodable {
    /// The maximum number of testers on a page, which is read into memory as a whole.
    package static let maximumEntries = 1_000
    package static let defaultEntries = 100

    package struct Entry: Encodable {
        package var account: String
        package var testerSince: Date
    }

    package var testers: [Entry]
    /// The value of `after` for the next page; omitted on the last page.
    package var next: String?

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - position: the position of the last tester on the page before, as ``next`` has it.
    ///   - limit: at most ``maximumEntries``.
    package init(_ ledger: any SupportLedger, after position: TesterPosition?, limit: Int) async throws {
        let listed = try await ledger.testers(after: position, limit: limit + 1)
        let positions = listed.prefix(limit).compactMap { facts in
            facts.testerSince.map { TesterPosition(date: $0, account: facts.account) }
        }
        testers = positions.map { Entry(account: $0.account.text, testerSince: $0.date) }
        next = listed.count > limit ? positions.last?.text : nil
    }
}

extension TesterPosition {
    /// The text form: milliseconds and account, `1795000000000_<uuid>`.
    fileprivate var text: String { "\(date.milliseconds)_\(account.text)" }

    /// - Returns: `nil` for a string that no page returned.
    package init?(text: String) {
        let parts = text.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = parts.first.flatMap({ Int($0) }), milliseconds >= 0,
            let account = parts.last.flatMap({ AccountID(text: String($0)) })
        else { return nil }
        self.init(date: Date(milliseconds: milliseconds), account: account)
    }
}
