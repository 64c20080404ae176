#if canImport(StoreKit)
    import StoreKit

    /// The memory of an ``AppStoreSource``: products, and transactions that are not finished.
    actor AppStoreState {
        private var products: [String: Product] = [:]
        private var options: [String: Set<Product.PurchaseOption>] = [:]
        private var unfinished: [String: Transaction] = [:]

        func setProducts(_ loaded: [Product]) { for product in loaded { products[product.id] = product } }

        /// The product as it was loaded, otherwise as the App Store has it now.
        ///
        /// - Throws: ``ProductUnavailable``, or StoreKit's error.
        func product(_ id: String) async throws -> Product {
            if let product = products[id] { return product }
            let loaded = try await Product.products(for: [id])
            setProducts(loaded)
            guard let product = loaded.first else { throw ProductUnavailable(productID: id) }
            return product
        }

        func setOptions(_ chosen: Set<Product.PurchaseOption>, for productID: String) { options[productID] = chosen }

        func removeOptions(for productID: String) -> Set<Product.PurchaseOption> {
            options.removeValue(forKey: productID) ?? []
        }

        /// Holds the transaction until it is finished.
        func add(_ verification: VerificationResult<Transaction>) -> SignedTransaction {
            let signed = SignedTransaction(verification)
            unfinished[signed.id] = verification.unsafePayloadValue
            return signed
        }

        func remove(_ id: String) -> Transaction? { unfinished.removeValue(forKey: id) }
    }
#endif
