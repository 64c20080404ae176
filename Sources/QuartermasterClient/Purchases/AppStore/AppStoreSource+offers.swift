#if canImport(StoreKit)
    public import StoreKit

    extension AppStoreSource {
        /// Adds options to the next purchase of a product, for example an offer that the server signed:
        /// `Set(Product.PurchaseOption.promotionalOffer("welcome-back", compactJWS: signature))`.
        ///
        /// The purchase uses them up, whatever becomes of it: a signature is for one purchase.
        public func setOptions(_ options: Set<Product.PurchaseOption>, forNextPurchaseOf productID: String) async {
            await store.setOptions(options, for: productID)
        }

        #if !os(visionOS)
            /// The IDs of products that the player chose in the App Store (promoted purchases and win-back offers). Buy
            /// each when that does not interrupt the player; a win-back offer is then applied by itself. Read it from
            /// launch on.
            public var promotedPurchases: AsyncStream<String> {
                AsyncStream { continuation in
                    let task = Task {
                        for await intent in PurchaseIntent.intents {
                            await store.setOptions(of: intent)
                            continuation.yield(intent.product.id)
                        }
                        continuation.finish()
                    }
                    continuation.onTermination = { _ in task.cancel() }
                }
            }
        #endif
    }

    #if !os(visionOS)
        extension AppStoreState {
            fileprivate func setOptions(of intent: PurchaseIntent) {
                setProducts([intent.product])
                guard #available(iOS 18.0, macOS 15.0, *) else { return }
                guard let offer = intent.offer, offer.type == .winBack else { return }
                setOptions([.winBackOffer(offer)], for: intent.product.id)
            }
        }
    #endif
#endif
