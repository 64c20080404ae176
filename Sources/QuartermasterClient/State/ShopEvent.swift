public import Foundation

/// Something that happened in a shop, for the app's own log and for support. It has no secret: no receipt, no token, no
/// recovery code.
public struct ShopEvent: Sendable, Equatable {
    /// The kinds of events. Expect others.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The server has answered everything that a refresh asks for.
        public static let refreshed = Self(rawValue: "refreshed")
        /// A refresh did not get everything.
        public static let refreshFailed = Self(rawValue: "refreshFailed")
        /// The store did not answer about the products.
        public static let storeFailed = Self(rawValue: "storeFailed")
        /// The store does not know a product of the server's list: a misspelt ID, one that is not sold in the
        /// storefront, or an agreement that waits in App Store Connect.
        public static let productUnknown = Self(rawValue: "productUnknown")
        /// The store sold nothing, and threw an error.
        public static let purchaseFailed = Self(rawValue: "purchaseFailed")
        /// The server has judged a purchase, or keeps it.
        public static let purchaseAnswered = Self(rawValue: "purchaseAnswered")
        /// A spend was refused, or its answer was lost.
        public static let spendFailed = Self(rawValue: "spendFailed")
        /// A bundle is installed.
        public static let downloaded = Self(rawValue: "downloaded")
        /// A download has ended without a version.
        public static let downloadFailed = Self(rawValue: "downloadFailed")
    }

    /// The kind.
    public var kind: Kind
    /// When it happened, by the server's time as far as it is known.
    public var at: Date
    /// The product ID, the bundle's name or the kind of credits that it is about.
    public var subject: String?
    /// The outcome in a word: that of a purchase, the code of a problem, the name of an error.
    public var reason: String?
    /// The request by which the server's log knows it (`X-Request-Id`).
    public var requestID: String?
    /// A sentence for the player about a failure, by the keys in docs/app/errors.md.
    public var text: String?

    /// Whether something did not work.
    public var isFailure: Bool { ![.refreshed, .purchaseAnswered, .downloaded].contains(kind) }

    public init(
        _ kind: Kind, at: Date, subject: String? = nil, reason: String? = nil, requestID: String? = nil,
        text: String? = nil
    ) {
        self.kind = kind
        self.at = at
        self.subject = subject
        self.reason = reason
        self.requestID = requestID
        self.text = text
    }
}

extension ShopEvent {
    /// The event of an error.
    init(_ kind: Kind, at: Date, subject: String? = nil, _ error: any Error) {
        let problem = error as? ServerProblem
        self.init(
            kind, at: at, subject: subject, reason: Self.word(for: error), requestID: problem?.requestID,
            text: (error as? any LocalizedError)?.errorDescription)
    }

    /// A name without what an error may carry.
    private static func word(for error: any Error) -> String {
        switch error {
        case let problem as ServerProblem: problem.reason?.rawValue ?? problem.code.rawValue
        case let refusal as EntitlementRefusal: refusal.rawValue
        case DownloadError.refused(let problem): word(for: problem)
        case let error where error is ConnectionError || error is DownloadError:
            String("\(error)".prefix { $0.isLetter })
        default: "\(type(of: error)) \((error as NSError).code)"
        }
    }
}
