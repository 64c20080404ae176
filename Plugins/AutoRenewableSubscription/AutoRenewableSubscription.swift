// AutoRenewableSubscription
