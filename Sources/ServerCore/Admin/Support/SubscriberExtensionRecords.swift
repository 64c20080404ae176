package import Basics
import Foundation
package import InAppPurchase
package import Ledger

/// The last extension for all subscribers of each product, in the ledger. Their number is limited by that of the
/// products, and all servers of a ledger share them.
package struct SubscriberExtensionRecords: Sendable {
    package let ledger: any KeyValueStore

    package init(ledger: any KeyValueStore) {
        self.ledger = ledger
    }

    package func last(of product: ProductID, in scope: Scope) async throws -> SubscriberExtension? {
        try await ledger.value(forKey: Self.key(product, scope)).map {
            try JSONDecoder().decode(SubscriberExtension.self, from: $0)
        }
    }

    func set(_ asked: SubscriberExtension) async throws {
        try await ledger.set([Self.key(asked.product, asked.scope): JSONEncoder().encode(asked)])
    }

    /// Restores what was there before a request that the store refused.
    func undo(_ asked: SubscriberExtension, to old: SubscriberExtension?) async throws {
        if let old { return try await set(old) }
        try await ledger.removeValues(forKeys: [Self.key(asked.product, asked.scope)])
    }

    /// Changes what is known of an extension, unless another one was asked for meanwhile.
    ///
    /// - Returns: the extension as it is recorded afterwards; `nil` if it is not the last one any more.
    @discardableResult
    func change(
        _ request: UUID, of product: ProductID, in scope: Scope, _ body: (inout SubscriberExtension) -> Void
    ) async throws -> SubscriberExtension? {
        guard var known = try await last(of: product, in: scope), known.request == request else { return nil }
        body(&known)
        try await set(known)
        return known
    }

    /// Records the result that the store sent by itself. Does nothing for an extension that was not asked for here.
    func record(_ summary: ExtensionSummary, in scope: Scope, at date: Date) async throws {
        try await change(summary.request, of: summary.product, in: scope) { known in
            known.isAccepted = true
            known.progress = SubscriberExtension.Progress(
                isComplete: true, completedAt: known.progress?.completedAt ?? date, extended: summary.extended,
                failed: summary.failed)
        }
    }

    private static func key(_ product: ProductID, _ scope: Scope) -> String {
        "subscriberExtensions/\(scope.environment.rawValue)/\(scope.app)/\(product)"
    }
}
