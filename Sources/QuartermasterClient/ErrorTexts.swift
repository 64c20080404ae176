public import Foundation

/// The texts of the library's errors, for apps that have none of their own. Each is looked up in the app's
/// `Localizable.strings` by its key, such as `quartermaster.notConnected`; without an entry there it is English.
enum ErrorTexts {
    /// The English text of each key. docs/app/errors.md lists them.
    static let english = [
        "accountBlocked": "This account is blocked. Please write to support.",
        "busy": "The shop has too much to do right now. Please try again in a moment.",
        "cancelled": "It was cancelled.",
        "corrupted": "The download did not arrive as it was sent. Please try again.",
        "credentialsLocked": "The account cannot be read until the device has been unlocked.",
        "credentialsUnreadable": "The account cannot be read.",
        "entitlements": "The shop's answer was not accepted.",
        "folderInUse": "Another program uses the shop's files.",
        "insecure": "The connection to the shop is not allowed because it is not secure.",
        "insufficientBalance": "There are not enough credits.",
        "invalidCredentials": "No account has this code.",
        "networkNotAllowed": "The download waits for a network that it may use.",
        "newerFile": "A newer version of the app has used these files. Please update the app.",
        "noAccount": "There is no account yet.",
        "noFittingVersion": "This needs a newer version of the app.",
        "noSpace": "There is too little free space.",
        "notConnected": "There is no connection to the Internet.",
        "notEntitled": "This has not been bought, or access has ended.",
        "ownedByAnotherAccount": "This purchase belongs to another account.",
        "paymentsUnavailable": "Purchases are not allowed on this device.",
        "previewOnly": "This is a preview.",
        "productUnavailable": "The App Store does not sell this right now.",
        "receiptRejected": "The purchase could not be confirmed. It is kept.",
        "refused": "The shop refused this.",
        "signedOut": "The session has ended. Please enter the recovery code.",
        "spendPending": "The answer was lost. Nothing is charged twice.",
        "storage": "A file could not be read or written.",
        "tooManyRequests": "Too many requests. Please wait a moment.",
        "unknownBundle": "The shop does not have this.",
        "unreachable": "The shop cannot be reached.",
    ]

    fileprivate static func text(_ key: String) -> String {
        Bundle.main.localizedString(forKey: "quartermaster.\(key)", value: english[key], table: nil)
    }
}

extension ConnectionError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .notConnected: ErrorTexts.text("notConnected")
        case .networkNotAllowed: ErrorTexts.text("networkNotAllowed")
        case .insecure: ErrorTexts.text("insecure")
        case .unreachable, .timedOut, .tooLarge, .redirected: ErrorTexts.text("unreachable")
        }
    }
}

extension DownloadError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .notEntitled: ErrorTexts.text("notEntitled")
        case .noFittingVersion: ErrorTexts.text("noFittingVersion")
        case .unknownBundle: ErrorTexts.text("unknownBundle")
        case .signature, .stale, .rollback, .unusableManifest, .corrupted: ErrorTexts.text("corrupted")
        case .noSpace: ErrorTexts.text("noSpace")
        case .offline: ErrorTexts.text("unreachable")
        case .networkNotAllowed: ErrorTexts.text("networkNotAllowed")
        case .insecure: ErrorTexts.text("insecure")
        case .signedOut: ErrorTexts.text("signedOut")
        case .blocked: ErrorTexts.text("accountBlocked")
        case .credentialsUnavailable: ErrorTexts.text("credentialsLocked")
        case .refused(let problem): problem.errorDescription
        case .storage: ErrorTexts.text("storage")
        case .cancelled: ErrorTexts.text("cancelled")
        }
    }
}

extension ServerProblem: LocalizedError {
    public var errorDescription: String? {
        switch code {
        case .invalidCredentials: ErrorTexts.text("invalidCredentials")
        case .accountBlocked: ErrorTexts.text("accountBlocked")
        case .notEntitled: ErrorTexts.text("notEntitled")
        case .noFittingVersion: ErrorTexts.text("noFittingVersion")
        case .unknownBundle: ErrorTexts.text("unknownBundle")
        case .ownedByAnotherAccount: ErrorTexts.text("ownedByAnotherAccount")
        case .insufficientBalance: ErrorTexts.text("insufficientBalance")
        case .receiptRejected, .receiptTooLarge: ErrorTexts.text("receiptRejected")
        case .tooManyRequests: ErrorTexts.text("tooManyRequests")
        case .busy, .storageUnavailable: ErrorTexts.text("busy")
        default: ErrorTexts.text("refused")
        }
    }
}

extension CredentialsUnavailable: LocalizedError {
    public var errorDescription: String? {
        ErrorTexts.text(reason == .locked ? "credentialsLocked" : "credentialsUnreadable")
    }
}

extension EntitlementRefusal: LocalizedError {
    public var errorDescription: String? { ErrorTexts.text("entitlements") }
}

extension FolderInUse: LocalizedError {
    public var errorDescription: String? { ErrorTexts.text("folderInUse") }
}

extension NewerFileError: LocalizedError {
    public var errorDescription: String? { ErrorTexts.text("newerFile") }
}

extension NoAccount: LocalizedError {
    public var errorDescription: String? { ErrorTexts.text("noAccount") }
}

extension PaymentsUnavailable: LocalizedError {
    public var errorDescription: String? { ErrorTexts.text("paymentsUnavailable") }
}

extension ShopUnavailable: LocalizedError {
    public var errorDescription: String? { ErrorTexts.text("previewOnly") }
}

extension ProductUnavailable: LocalizedError {
    public var errorDescription: String? { ErrorTexts.text("productUnavailable") }
}

extension SignedOut: LocalizedError {
    public var errorDescription: String? { ErrorTexts.text("signedOut") }
}

extension SpendPending: LocalizedError {
    public var errorDescription: String? { ErrorTexts.text("spendPending") }
}
