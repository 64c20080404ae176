import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// Returns a player's own history: what was bought, and where the credits went.
struct HistoryRoutes: RouteFeature {
    /// The entries of a page if the request names no limit.
    static let defaultEntries = 20
    static let maximumEntries = 100

    let ledger: any AccountLedger
    let decisions: ServingContext

    func add(to groups: RouteGroups) {
        groups.player.on(.get, "purchases", RouteFacts("listPurchases")) { try await purchases($0, $1) }
        groups.player.on(.get, "balances/{currency}/postings", RouteFacts("listPostings")) {
            try await postings($0, $1)
        }
    }

    private func purchases(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (scope, limit) = (try scope(of: request), try limit(of: request))
        let position = try request.uri.queryParameters["after"].map { try PurchasePosition(parameter: String($0)) }
        let account = try context.account
        let records = try await ledger.purchases(of: account, in: scope, after: position, limit: limit)
        return try .json(PurchaseListBody(records, of: account, limit: limit))
    }

    private func postings(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (scope, limit) = (try scope(of: request), try limit(of: request))
        let position = try request.uri.queryParameters["after"].map { text in
            guard let position = Int(text), position > 0 else { throw Problem.wrongPosition }
            return position
        }
        let page = try await ledger.postings(
            of: try context.account, in: scope, currency: try context.pathPart("currency", as: Currency.self),
            after: position, limit: limit)
        return try .json(PostingListBody(page))
    }

    private func scope(of request: Request) throws -> Scope {
        guard let scope = try decisions.scope(of: request) else { throw Problem.appNeeded }
        return scope
    }

    private func limit(of request: Request) throws -> Int {
        try request.limit(upTo: Self.maximumEntries, default: Self.defaultEntries)
    }
}

/// A page of the changes of a player's balance, newest first.
struct PostingListBody: Encodable {
    /// A change of the balance, without what only support sees.
    struct Entry: Encodable {
        var amount: Int
        var kind: String
        var product: ProductID?
        /// The key of a spend, by which the app knows it.
        var idempotencyKey: String?
        var at: Date

        init(_ posting: Posting) {
            amount = posting.amount
            kind = posting.kind.rawValue
            product = posting.product
            idempotencyKey = posting.kind == .spend ? posting.cause : nil
            at = posting.date
        }
    }

    var postings: [Entry]
    /// Omitted on the last page.
    var next: String?

    init(_ page: PostingPage) {
        postings = page.postings.map(Entry.init)
        next = page.next.map(String.init)
    }
}

/// A page of a player's purchases, newest first.
struct PurchaseListBody: Encodable {
    var purchases: [PurchaseBody]
    /// Omitted on the last page.
    var next: String?

    init(_ records: [RecordedTransaction], of account: AccountID, limit: Int) {
        purchases = records.map { PurchaseBody($0, of: account) }
        guard records.count == limit, let last = records.last?.transaction else { return }
        next = PurchasePosition(date: last.purchaseDate, transaction: last.id).text
    }
}
