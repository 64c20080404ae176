#if canImport(StoreKit)
    import Foundation
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

    extension SourceProduct {
        /// Asks the App Store whether the customer may have an introductory offer, if there is one.
        init(_ product: Product) async {
            var terms = product.subscription.flatMap(Terms.init)
            if terms?.introductoryOffer != nil {
                terms?.isEligibleForIntroductoryOffer = await product.subscription?.isEligibleForIntroOffer ?? false
            }
            self.init(
                id: product.id, type: ProductType(product.type), displayName: product.displayName,
                description: product.description, displayPrice: product.displayPrice, price: product.price,
                currency: product.priceFormatStyle.currencyCode, isFamilyShareable: product.isFamilyShareable,
                subscription: terms)
        }
    }

    extension SourceProduct.Terms {
        /// - Returns: `nil` if the period has a unit that this library does not know.
        fileprivate init?(_ info: Product.SubscriptionInfo) {
            guard let period = SourceProduct.Period(info.subscriptionPeriod) else { return nil }
            // StoreKit says 0 where it does not know it.
            let level = info.groupLevel > 0 ? info.groupLevel : nil
            self.init(
                groupID: info.subscriptionGroupID, groupName: info.groupDisplayName, level: level, period: period,
                introductoryOffer: info.introductoryOffer.flatMap(SourceProduct.Offer.init),
                plans: SourceProduct.Plan.all(of: info))
        }
    }

    extension SourceProduct.Period {
        fileprivate init?(_ period: Product.SubscriptionPeriod) {
            switch period.unit {
            case .day: self.init(period.value, .day)
            case .week: self.init(period.value, .week)
            case .month: self.init(period.value, .month)
            case .year: self.init(period.value, .year)
            @unknown default: return nil
            }
        }
    }

    extension SourceProduct.Offer {
        fileprivate init?(_ offer: Product.SubscriptionOffer) {
            guard let period = SourceProduct.Period(offer.period) else { return nil }
            let mode: PaymentMode =
                switch offer.paymentMode {
                case .freeTrial: .freeTrial
                case .payAsYouGo: .payAsYouGo
                case .payUpFront: .payUpFront
                default: PaymentMode(rawValue: offer.paymentMode.rawValue)
                }
            self.init(
                paymentMode: mode, period: period, periodCount: offer.periodCount, displayPrice: offer.displayPrice,
                price: offer.price)
        }
    }

    #if compiler(>=6.3)
        @available(iOS 26.4, macOS 26.4, visionOS 26.4, *)
        extension SourceProduct.Plan.Kind {
            fileprivate init(_ type: Product.SubscriptionInfo.BillingPlanType) {
                switch type {
                case .monthly: self = .monthly
                case .upFront: self = .upFront
                default: self.init(rawValue: type.rawValue)
                }
            }
        }
    #endif

    extension SourceProduct.Plan {
        fileprivate static func all(of info: Product.SubscriptionInfo) -> [Self] {
            // Xcode 26.4 is the first that knows plans.
            #if compiler(>=6.3)
                guard #available(iOS 26.4, macOS 26.4, visionOS 26.4, *) else { return [] }
                return info.pricingTerms.map { terms in
                    Self(
                        kind: Kind(terms.billingPlanType), displayPrice: terms.billingDisplayPrice,
                        price: terms.billingPrice, commitmentPrice: terms.commitmentInfo.price)
                }
            #else
                return []
            #endif
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
