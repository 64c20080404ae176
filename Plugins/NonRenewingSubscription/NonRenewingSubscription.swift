// NonRenewingSubscription
