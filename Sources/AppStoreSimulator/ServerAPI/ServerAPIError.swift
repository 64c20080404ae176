import Basics
import HTTPTypes
import Hummingbird
import StrictJSON

/// An error response of the Server API (Apple, "Error codes"): the HTTP status is the first three digits of the code.
struct ServerAPIError: Error, Hashable, Encodable {
    var errorCode: Int
    var errorMessage: String

    init(_ code: Int, _ message: String) {
        errorCode = code
        errorMessage = message
    }

    static let badRequest = ServerAPIError(4_000_000, "Bad request.")
    static let requestRevision = ServerAPIError(4_000_005, "Invalid request revision.")
    static let transactionID = ServerAPIError(4_000_006, "Invalid transaction id.")
    static let originalTransactionID = ServerAPIError(4_000_008, "Invalid original transaction id.")
    static let extendByDays = ServerAPIError(4_000_009, "Invalid extend by days value.")
    static let extendReasonCode = ServerAPIError(4_000_010, "Invalid extend reason code.")
    static let requestIdentifier = ServerAPIError(4_000_011, "Invalid request identifier.")
    static let startDateTooFarInPast = ServerAPIError(4_000_012, "The start date is too far in the past.")
    static let startDateAfterEndDate = ServerAPIError(4_000_013, "The start date is after the end date.")
    static let paginationToken = ServerAPIError(4_000_014, "Invalid pagination token.")
    static let startDate = ServerAPIError(4_000_015, "Invalid start date.")
    static let endDate = ServerAPIError(4_000_016, "Invalid end date.")
    static let paginationTokenExpired = ServerAPIError(4_000_017, "Pagination token expired.")
    static let notificationType = ServerAPIError(4_000_018, "Invalid notification type or subtype.")
    static let multipleFilters = ServerAPIError(4_000_019, "Multiple filters supplied.")
    static let testNotificationToken = ServerAPIError(4_000_020, "Invalid test notification token.")
    static let sort = ServerAPIError(4_000_021, "Invalid sort.")
    static let productType = ServerAPIError(4_000_022, "Invalid product type.")
    static let productID = ServerAPIError(4_000_023, "Invalid product id.")
    static let subscriptionGroup = ServerAPIError(4_000_024, "Invalid subscription group identifier.")
    static let ownershipType = ServerAPIError(4_000_026, "Invalid in-app ownership type.")
    static let storefrontList = ServerAPIError(4_000_027, "Invalid empty storefront country code list.")
    static let storefront = ServerAPIError(4_000_028, "Invalid storefront country code.")
    static let revoked = ServerAPIError(4_000_030, "Invalid revoked.")
    static let status = ServerAPIError(4_000_031, "Invalid status.")
    static let transactionType = ServerAPIError(4_000_047, "Invalid transaction type not supported.")
    static let appTransactionID = ServerAPIError(4_000_048, "App transaction id not supported.")
    static let accountToken = ServerAPIError(4_000_183, "Invalid app account token UUID.")
    static let familyTransaction = ServerAPIError(4_000_185, "Family transaction not supported.")
    static let notOriginal = ServerAPIError(4_000_187, "Transaction id is not an original transaction id.")
    static let consumptionPercentage = ServerAPIError(
        4_000_209, "Consumption percentage is not allowed for auto-renewable subscriptions.")
    static let extensionIneligible = ServerAPIError(4_030_004, "Subscription is not eligible for an extension.")
    static let extensionMaximum = ServerAPIError(4_030_005, "Subscription has received the maximum extensions.")
    static let familyExtension = ServerAPIError(4_030_007, "Family shared subscriptions cannot be extended.")
    static let originalTransactionNotFound = ServerAPIError(4_040_005, "Original transaction id not found.")
    static let notificationURLNotFound = ServerAPIError(4_040_007, "Server notification URL not found.")
    static let testNotificationNotFound = ServerAPIError(4_040_008, "Test notification not found.")
    static let statusRequestNotFound = ServerAPIError(4_040_009, "Status request not found.")
    static let transactionNotFound = ServerAPIError(4_040_010, "Transaction id not found.")
    static let appTransactionNotFound = ServerAPIError(4_040_019, "App transaction does not exist.")
    static let internalError = ServerAPIError(5_000_000, "An unknown error occurred.")
    static let internalRetryable = ServerAPIError(5_000_001, "An unknown error occurred. Please try again.")

    var httpStatus: HTTPResponse.Status { .init(code: errorCode / 10_000) }

    /// The response for any error.
    init(_ error: any Error) {
        switch error {
        case let error as ServerAPIError: self = error
        case is JSONError, is DecodingError: self = .badRequest
        case is SerialQueue.Unavailable: self = .internalRetryable
        default: self = .internalError
        }
    }
}
