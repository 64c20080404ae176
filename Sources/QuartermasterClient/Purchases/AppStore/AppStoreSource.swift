#if canImport(StoreKit)
    public import Foundation
    public import StoreKit

    /// The App Store, through StoreKit 2.
    ///
    /// Transactions are handed over whether or not the device could verify them: the server decides. Those of Family
    /// Sharing, of offer codes and of approved purchases (Ask to Buy) arrive through ``updates``.
    public struct AppStoreSource: PurchaseSource {
        /// Confirms a purchase with the player, in the window of the caller.
        public typealias Confirmation =
            @MainActor @Sendable (Product, Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult

        let store = AppStoreState()
        private let usualConfirmation: Confirmation
        /// Confirms the purchases that are made in its scope, in place of the source's own.
        @TaskLocal static var confirmation: Confirmation?

        /// - Parameter confirmation: calls SwiftUI's `PurchaseAction` or StoreKit's `purchase(confirmIn:options:)`. An
        ///   app with several windows, or for visionOS, knows which window that is.
        public init(confirmation: @escaping Confirmation) { usualConfirmation = confirmation }

        #if !os(visionOS)
            /// Lets the system choose the window that confirms a purchase.
            public init() { self.init { product, options in try await product.purchase(options: options) } }
        #endif

        public func products(_ ids: [String]) async throws -> [SourceProduct] {
            let products = try await Product.products(for: ids)
            await store.setProducts(products)
            var described: [SourceProduct] = []
            for product in products { described.append(await SourceProduct(product)) }
            return described
        }

        /// StoreKit's own product, for views and offers of StoreKit.
        ///
        /// - Throws: ``ProductUnavailable``, or StoreKit's error.
        public func product(_ id: String) async throws -> Product { try await store.product(id) }

        public func purchase(_ id: String, for account: UUID, quantity: Int) async throws -> PurchaseOutcome {
            let product = try await store.product(id)
            var options = await store.removeOptions(for: id)
            options.insert(.appAccountToken(account))
            if quantity > 1 { options.insert(.quantity(quantity)) }
            do {
                return try await confirm(product, options, by: Self.confirmation ?? usualConfirmation)
            } catch StoreKitError.userCancelled {
                return .cancelled
            }
        }

        @MainActor private func confirm(
            _ product: Product, _ options: Set<Product.PurchaseOption>, by confirmation: Confirmation
        ) async throws -> PurchaseOutcome {
            switch try await confirmation(product, options) {
            case .success(let verification): .purchased(await store.add(verification))
            case .userCancelled: .cancelled
            case .pending: .pending
            // If it is a purchase, its transaction arrives through `updates`.
            @unknown default: .pending
            }
        }

        public func history() async -> [SignedTransaction] {
            var transactions: [SignedTransaction] = []
            for await verification in Transaction.all { transactions.append(SignedTransaction(verification)) }
            return transactions
        }

        public func finish(_ id: String) async {
            if let transaction = await store.remove(id) { return await transaction.finish() }
            // From an earlier launch, and not seen in this one yet.
            for await verification in Transaction.unfinished where String(verification.unsafePayloadValue.id) == id {
                return await verification.unsafePayloadValue.finish()
            }
        }

        public func synchronize() async throws {
            do {
                try await AppStore.sync()
            } catch StoreKitError.userCancelled {
                // The player did not enter the password: what the device knows by now is sent.
            }
        }

        public func canMakePayments() async -> Bool { AppStore.canMakePayments }

        public func environment() async -> StoreEnvironment? {
            (try? await AppTransaction.shared).map { StoreEnvironment($0.unsafePayloadValue.environment) }
        }

        public func storefront() async -> String? { await Storefront.current?.countryCode }

        public var storefrontChanges: AsyncStream<Void> {
            AsyncStream { continuation in
                let task = Task {
                    for await _ in Storefront.updates { continuation.yield() }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }

        public func appTransaction() async -> String? { try? await AppTransaction.shared.jwsRepresentation }

        public func deviceVerificationID() async -> UUID? { AppStore.deviceVerificationID }
    }
#endif
