extension AppStoreServerErrorCode {
    /// Apple's name of the error, without `Error`; a few newer ones, which only Apple's pages describe, have a name of
    /// the same form. `nil` for an unknown code.
    public var name: String? {
        Self.names[rawValue] ?? (Self.messaging.contains(rawValue) ? "RetentionMessaging" : nil)
    }

    /// The codes of Apple's Retention Messaging API, which is not used here.
    private static let messaging: Set<Int> = [
        4_000_161, 4_000_162, 4_000_163, 4_000_164, 4_000_175, 4_000_211, 4_000_212, 4_000_213, 4_000_215, 4_000_216,
        4_000_218, 4_000_219, 4_000_224, 4_030_014, 4_030_016, 4_030_017, 4_030_018, 4_030_019, 4_030_026, 4_040_014,
        4_040_015, 4_040_018, 4_040_020, 4_040_021,
    ]

    static let names: [Int: String] = [
        4_000_000: "GeneralBadRequest", 4_000_002: "InvalidAppIdentifier", 4_000_004: "InvalidLimit",
        4_000_005: "InvalidRequestRevision", 4_000_006: "InvalidTransactionId",
        4_000_008: "InvalidOriginalTransactionId", 4_000_009: "InvalidExtendByDays",
        4_000_010: "InvalidExtendReasonCode", 4_000_011: "InvalidRequestIdentifier", 4_000_012: "StartDateTooFarInPast",
        4_000_013: "StartDateAfterEndDate", 4_000_014: "InvalidPaginationToken", 4_000_015: "InvalidStartDate",
        4_000_016: "InvalidEndDate", 4_000_017: "PaginationTokenExpired", 4_000_018: "InvalidNotificationType",
        4_000_019: "MultipleFiltersSupplied", 4_000_020: "InvalidTestNotificationToken", 4_000_021: "InvalidSort",
        4_000_022: "InvalidProductType", 4_000_023: "InvalidProductId", 4_000_024: "InvalidSubscriptionGroupIdentifier",
        4_000_025: "InvalidExcludeRevoked", 4_000_026: "InvalidInAppOwnershipType",
        4_000_027: "InvalidEmptyStorefrontCountryCodeList", 4_000_028: "InvalidStorefrontCountryCode",
        4_000_030: "InvalidRevoked", 4_000_031: "InvalidStatus", 4_000_032: "InvalidAccountTenure",
        4_000_033: "InvalidAppAccountToken", 4_000_034: "InvalidConsumptionStatus",
        4_000_035: "InvalidCustomerConsented", 4_000_036: "InvalidDeliveryStatus",
        4_000_037: "InvalidLifetimeDollarsPurchased", 4_000_038: "InvalidLifetimeDollarsRefunded",
        4_000_039: "InvalidPlatform", 4_000_040: "InvalidPlayTime", 4_000_041: "InvalidSampleContentProvided",
        4_000_042: "InvalidUserStatus", 4_000_043: "InvalidTransactionNotConsumable",
        4_000_044: "InvalidRefundPreference", 4_000_047: "InvalidTransactionTypeNotSupported",
        4_000_048: "AppTransactionIdNotSupported", 4_000_183: "InvalidAppAccountTokenUUID",
        4_000_185: "FamilyTransactionNotSupported", 4_000_187: "TransactionIdNotOriginalTransactionId",
        4_000_209: "ConsumptionPercentageNotAllowed", 4_000_225: "InvalidGroupId",
        4_000_227: "AssignedTransactionNotSupported", 4_030_004: "SubscriptionExtensionIneligible",
        4_030_005: "SubscriptionMaxExtension", 4_030_007: "FamilySharedSubscriptionExtensionIneligible",
        4_030_028: "AssignedSubscriptionExtensionIneligible", 4_040_001: "AccountNotFound",
        4_040_002: "AccountNotFoundRetryable", 4_040_003: "AppNotFound", 4_040_004: "AppNotFoundRetryable",
        4_040_005: "OriginalTransactionIdNotFound", 4_040_006: "OriginalTransactionIdNotFoundRetryable",
        4_040_007: "ServerNotificationUrlNotFound", 4_040_008: "TestNotificationNotFound",
        4_040_009: "StatusRequestNotFound", 4_040_010: "TransactionIdNotFound", 4_040_019: "AppTransactionDoesNotExist",
        4_040_022: "GroupNotFound", 4_090_000: "ImageAlreadyExists", 4_090_001: "MessageAlreadyExists",
        4_290_000: "RateLimitExceeded", 5_000_000: "GeneralInternal", 5_000_001: "GeneralInternalRetryable",
    ]
}
