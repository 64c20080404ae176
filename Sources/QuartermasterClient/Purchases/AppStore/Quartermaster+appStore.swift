#if canImport(StoreKit)
    public import StoreKit

    extension Quartermaster {
        /// Buys a product as ``buy(_:quantity:again:)`` does, confirmed in the window of the caller: pass SwiftUI's
        /// `PurchaseAction`, or call StoreKit's `purchase(confirmIn:options:)`.
        ///
        /// - Throws: the same.
        public func buy(
            _ product: String, quantity: Int = 1, again: Bool = false,
            confirm: @escaping AppStoreSource.Confirmation
        ) async throws -> PurchaseResult {
            try await AppStoreSource.$confirmation.withValue(confirm) {
                try await buy(product, quantity: quantity, again: again)
            }
        }

        /// Delivers what one of StoreKit's own views sold, from `onInAppPurchaseCompletion`. The purchase must have had
        /// ``account()`` as its `appAccountToken`.
        public func deliver(_ result: Product.PurchaseResult) async -> PurchaseResult {
            switch result {
            case .success(let verification):
                let held = await (source as? AppStoreSource)?.store.add(verification)
                return await deliver(held ?? SignedTransaction(verification))
            case .userCancelled: return .cancelled
            case .pending: return .pending
            @unknown default: return .pending
            }
        }
    }
#endif
