#if canImport(StoreKit)
    import StoreKit

    extension SignedTransaction {
        /// The transaction as it was signed, also if the device could not verify it.
        init(_ verification: VerificationResult<Transaction>) {
            let transaction = verification.unsafePayloadValue
            self.init(
                id: String(transaction.id), productID: transaction.productID, jws: verification.jwsRepresentation,
                environment: StoreEnvironment(transaction.environment))
        }
    }

    extension StoreEnvironment {
        init(_ environment: AppStore.Environment) {
            switch environment {
            case .production: self = .production
            case .sandbox: self = .sandbox
            case .xcode: self = .xcode
            default: self.init(rawValue: environment.rawValue)
            }
        }
    }

    extension StoreProduct {
        init(_ product: Product) {
            self.init(
                id: product.id, type: ProductType(product.type), displayName: product.displayName,
                description: product.description, displayPrice: product.displayPrice)
        }
    }

    extension ProductType {
        /// The type by the server's name, or `nil` for one that StoreKit added later.
        init?(_ type: Product.ProductType) {
            switch type {
            case .consumable: self = .consumable
            case .nonConsumable: self = .nonConsumable
            case .nonRenewable: self = .nonRenewing
            case .autoRenewable: self = .autoRenewable
            default: return nil
            }
        }
    }
#endif
