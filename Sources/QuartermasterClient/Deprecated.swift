/// The former name of ``PlayerAccount``.
@available(*, deprecated, renamed: "PlayerAccount")
public typealias Account = PlayerAccount

/// The former name of ``ServerProblem``.
@available(*, deprecated, renamed: "ServerProblem")
public typealias Problem = ServerProblem

/// The former name of ``SourceProduct``.
@available(*, deprecated, renamed: "SourceProduct")
public typealias StoreProduct = SourceProduct

/// The former name of ``SubscriptionDetails``.
@available(*, deprecated, renamed: "SubscriptionDetails")
public typealias Subscription = SubscriptionDetails
