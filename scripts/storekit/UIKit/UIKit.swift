// What of UIKit the pages in docs use, and what StoreKit has for it.
@_exported public import Foundation
public import StoreKit

/// https://developer.apple.com/documentation/uikit/uiresponder
@MainActor open class UIResponder {
    public init() { fatalError() }
}

/// https://developer.apple.com/documentation/uikit/uiview
@MainActor open class UIView: UIResponder {
    /// https://developer.apple.com/documentation/uikit/uiview/window
    open var window: UIWindow? { fatalError() }
}

/// https://developer.apple.com/documentation/uikit/uiwindow
@MainActor open class UIWindow: UIView {
    /// https://developer.apple.com/documentation/uikit/uiwindow/windowscene
    open var windowScene: UIWindowScene? { fatalError() }
}

/// https://developer.apple.com/documentation/uikit/uiscene
@MainActor open class UIScene: UIResponder {}

/// https://developer.apple.com/documentation/uikit/uiwindowscene
@MainActor open class UIWindowScene: UIScene {}

/// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/init(coder:)
    public required init?(coder: NSCoder) { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/view
    open var view: UIView! { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidload()
    open func viewDidLoad() { fatalError() }
}

extension Product {
    /// https://developer.apple.com/documentation/storekit/product/purchase(confirmin:options:)-6dj6y
    @available(iOS 17.0, visionOS 1.0, *)
    @MainActor public func purchase(
        confirmIn scene: some UIScene, options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult { fatalError() }
}

extension Transaction {
    /// https://developer.apple.com/documentation/storekit/transaction/beginrefundrequest(for:in:)-65tph
    @available(iOS 15.0, visionOS 1.0, *)
    @MainActor public static func beginRefundRequest(
        for transactionID: UInt64, in scene: UIWindowScene
    ) async throws -> RefundRequestStatus { fatalError() }
}

extension AppStore {
    /// https://developer.apple.com/documentation/storekit/appstore/showmanagesubscriptions(in:)
    @available(iOS 15.0, visionOS 1.0, *)
    @MainActor public static func showManageSubscriptions(in scene: UIWindowScene) async throws { fatalError() }
}
