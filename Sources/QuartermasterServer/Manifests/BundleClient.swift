import Content
import Foundation
import Hummingbird
import InAppPurchase

/// Who asks for a bundle, as far as it matters for the version they get.
struct BundleClient: Hashable, Sendable {
    /// No version of an app is longer.
    static let maximumCharacters = 64

    /// As it was sent; nil where it was not.
    let appVersion: String?
    let channel: ReleaseChannel

    /// - Throws: 400 where the version of the app is too long.
    init(_ request: Request, isBeta: Bool) throws {
        appVersion = request.uri.queryParameters["appVersion"].map(String.init)
        channel = isBeta ? .beta : .stable
        guard appVersion?.unicodeScalars.count ?? 0 <= Self.maximumCharacters else {
            throw Problem.invalidRequest("appVersion: at most \(Self.maximumCharacters) characters")
        }
    }

    func reader(_ access: BundleAccess) -> VersionChoice.Reader {
        VersionChoice.Reader(
            appVersion: Availability.Client(appVersion: appVersion).appVersion, isBeta: channel == .beta,
            mayRead: access.opens)
    }
}

/// What an account's purchases open of one bundle.
struct BundleAccess: Sendable {
    /// Every version; else those that were published in the times that are kept.
    let isGranted: Bool
    private let kept: [RetainedTimes]
    private let concerned: [ProductEntitlement]

    /// - Throws: 403 where nothing opens it.
    init(_ bundle: BundleName, by entitlements: [ProductEntitlement]) throws {
        concerned = entitlements.filter { $0.bundles.contains(bundle) }
        isGranted = concerned.contains(where: \.access.isGranted)
        kept = concerned.map(\.kept).filter { !$0.isEmpty }
        guard isGranted || !kept.isEmpty else { throw notEntitled }
    }

    @Sendable func opens(publishedAt date: Date) -> Bool { isGranted || kept.contains { $0.contains(date) } }

    var notEntitled: Problem {
        let reasons = concerned.compactMap { entitlement in
            if case .denied(let reason) = entitlement.access { reason.rawValue } else { nil }
        }
        return Problem(
            .forbidden, "not_entitled", "The account is not entitled to this bundle",
            reason: reasons.first ?? "notPurchased")
    }
}
