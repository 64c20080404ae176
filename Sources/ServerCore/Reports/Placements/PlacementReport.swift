import Crypto
package import Foundation
package import InAppPurchase
package import Ledger

/// First purchases of what the placements of an app offer, by the groups into which they divide accounts.
///
/// An account's bucket follows from its ID, so that everything is counted from purchases and accounts as they are
/// recorded: the product list, which takes no account, records nothing for it.
package struct PlacementReport: Sendable {
    /// The maximum number of purchases, and that of accounts, which a report counts.
    package static let maximumCounted = 500_000

    /// A group of a placement.
    package struct Row: Sendable {
        package let placement: String
        package let group: PlacementGroup
        /// The first instant that counts: that of the report, or the last change of the placement if it is later.
        package let from: Date
        /// The accounts that were created in the time.
        package fileprivate(set) var newAccounts = 0
        /// Those of them that bought.
        package fileprivate(set) var newBuyers = 0
        /// All accounts that bought.
        package fileprivate(set) var buyers = 0
        /// The purchases with their prices.
        package fileprivate(set) var tally = ReportTally()

        /// The part of the new accounts that bought, with four decimals; `nil` if there are none.
        package var conversion: Double? {
            newAccounts == 0 ? nil : (Double(newBuyers) / Double(newAccounts) * 10_000).rounded() / 10_000
        }
    }

    package let query: ReportQuery
    package let app: BundleID
    /// The groups of each placement that divides accounts, by the placement's name and their buckets.
    package var rows: [Row] { counts.flatMap(\.rows) }
    /// Whether purchases or accounts are missing, since there were more than the report counts.
    package private(set) var isPartial = false
    private var counts: [Count]

    /// Counts at most some purchases and accounts, page by page.
    ///
    /// - Parameters:
    ///   - query: the time, the environment and the app.
    ///   - dates: the last change of each placement that is known to have changed.
    package init(
        _ query: ReportQuery, of app: App, since dates: [String: Date], in ledger: any ReportLedger, at date: Date,
        limit: Int = maximumCounted
    ) async throws {
        self.query = query
        self.app = app.bundleID
        counts = app.listing.placements.sorted { $0.key < $1.key }.compactMap { name, placement in
            Count(name, placement, from: max(query.from, dates[name] ?? query.from))
        }
        // Without a placement that divides accounts there is nothing to read.
        guard let first = counts.map(\.from).min(), first < query.to else { return }
        for scan in query.scans(at: date) where scan.isClaimed && scan.selection == .purchased {
            var scan = scan
            scan.from = first
            try await countPurchases(of: scan, in: ledger, limit: limit)
        }
        try await countAccounts(since: first, in: ledger, limit: limit)
    }

    private mutating func countPurchases(of scan: ReportScan, in ledger: any ReportLedger, limit: Int) async throws {
        var (position, counted) = (ReportPage.Position?.none, 0)
        repeat {
            try Task.checkCancellation()
            let page = try await ledger.reportPage(scan, after: position, limit: min(limit, ReportPage.size))
            for reported in page.transactions {
                for index in counts.indices { counts[index].add(reported) }
            }
            (position, counted) = (page.next, counted + page.transactions.count)
            if position != nil, counted >= limit { isPartial = true }
        } while position != nil && !isPartial
    }

    private mutating func countAccounts(since date: Date, in ledger: any ReportLedger, limit: Int) async throws {
        var (before, last, counted) = (query.to, AccountID?.none, 0)
        let size = min(limit, ReportPage.size)
        while true {
            try Task.checkCancellation()
            let page = try await ledger.accounts(createdBefore: before, last, limit: size)
            let new = page.prefix { $0.createdAt >= date }
            for facts in new {
                for index in counts.indices { counts[index].add(facts) }
            }
            counted += new.count
            guard new.count == size, let end = new.last else { return }
            guard counted < limit else {
                isPartial = true
                return
            }
            (before, last) = (end.createdAt, end.account)
        }
    }
}

extension PlacementReport {
    /// The numbers of one placement.
    private struct Count: Sendable {
        let from: Date
        private let name: String
        private let products: Set<ProductID>
        private var buyers: Set<AccountID> = []
        private(set) var rows: [Row]

        /// - Returns: `nil` if the placement does not divide accounts.
        init?(_ name: String, _ placement: Placement, from: Date) {
            let groups = placement.groups
            guard groups.count > 1 else { return nil }
            self.name = name
            self.from = from
            products = placement.products
            rows = groups.map { Row(placement: name, group: $0, from: from) }
        }

        mutating func add(_ reported: ReportedTransaction) {
            let transaction = reported.transaction
            guard transaction.purchaseDate >= from, products.contains(transaction.productID),
                reported.isFirstPurchase, let account = reported.creditedTo, let row = row(of: account)
            else { return }
            rows[row].tally.addPurchase(reported)
            if buyers.insert(account).inserted { rows[row].buyers += 1 }
        }

        mutating func add(_ facts: AccountFacts) {
            guard facts.createdAt >= from, let row = row(of: facts.account) else { return }
            rows[row].newAccounts += 1
            if buyers.contains(facts.account) { rows[row].newBuyers += 1 }
        }

        private func row(of account: AccountID) -> Int? {
            let bucket = PlacementCondition.bucket(of: account, in: name)
            return rows.firstIndex { $0.group.buckets.contains(bucket) }
        }
    }
}

extension PlacementCondition {
    /// The bucket of an account, which the app computes and sends with its request for the placement.
    package static func bucket(of account: AccountID, in placement: String) -> Int {
        let hash = SHA256.hash(data: Data("\(placement):\(account.text)".utf8))
        return Int(hash.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % UInt32(allBuckets.count))
    }
}
