import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// The access of an account to one bundle.
struct BundleAccess: Sendable {
    /// Whether every version is accessible; otherwise only those that were published in the retained times, and those
    /// that were the newest when these began.
    let isGranted: Bool
    /// The end of the access; `nil` if it has none.
    let until: Date?
    private let retained: [RetainedTimes]
    private let concerned: [ProductEntitlement]

    /// - Parameter isOpen: whether every account has access to the bundle.
    /// - Throws: 403 if the account has no access to any version.
    init(_ bundle: BundleName, by entitlements: [ProductEntitlement], isOpen: Bool) throws {
        concerned = entitlements.filter { $0.bundles.contains(bundle) }
        isGranted = isOpen || concerned.contains(where: \.access.isGranted)
        until = isOpen ? nil : concerned.lastEnd
        retained = concerned.map(\.retained).filter { !$0.isEmpty }
        guard isGranted || !retained.isEmpty else { throw notEntitled }
    }

    @Sendable func opens(publishedAt date: Date) -> Bool { isGranted || retained.contains { $0.contains(date) } }

    /// The beginnings of the retained times.
    var subscriptionDates: [Date] { isGranted ? [] : retained.flatMap(\.ranges).map(\.lowerBound) }

    var notEntitled: Problem {
        let reasons = concerned.compactMap { entitlement in
            if case .denied(let reason) = entitlement.access { reason.rawValue } else { nil }
        }
        return Problem(
            .forbidden, "not_entitled", "The account is not entitled to this bundle",
            reason: reasons.first ?? "notPurchased")
    }
}

extension [ProductEntitlement] {
    /// The latest end of the granted entitlements; `nil` if one of them has none, or none is granted.
    fileprivate var lastEnd: Date? {
        let granted = filter(\.access.isGranted)
        let ends = granted.compactMap { entitlement in
            if case .granted(let until) = entitlement.access { until } else { nil }
        }
        return ends.count == granted.count ? ends.max() : nil
    }
}
