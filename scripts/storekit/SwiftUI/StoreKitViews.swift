public import StoreKit

/// https://developer.apple.com/documentation/storekit/subscriptionstoreview
public struct SubscriptionStoreView<Content: View>: View {
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/storekit/automaticsubscriptionstoremarketingcontent
public struct AutomaticSubscriptionStoreMarketingContent: View {
    public var body: Never { fatalError() }
}

extension SubscriptionStoreView where Content == AutomaticSubscriptionStoreMarketingContent {
    /// https://developer.apple.com/documentation/storekit/subscriptionstoreview/init(productids:)
    nonisolated public init(productIDs: some Collection<Product.ID>) { fatalError() }
}

extension View {
    /// https://developer.apple.com/documentation/swiftui/view/inapppurchaseoptions(_:)
    nonisolated public func inAppPurchaseOptions(
        _ options: ((Product) async -> Set<Product.PurchaseOption>)?
    ) -> some View { EmptyView() }
    /// https://developer.apple.com/documentation/swiftui/view/oninapppurchasecompletion(perform:)
    nonisolated public func onInAppPurchaseCompletion(
        perform action: ((Product, Result<Product.PurchaseResult, any Error>) async -> Void)?
    ) -> some View { EmptyView() }
}
