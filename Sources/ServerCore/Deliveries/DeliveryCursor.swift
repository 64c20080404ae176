import Foundation
import InAppPurchase
package import Ledger
import ServerHTTP

/// The places in both lists of deliveries after which the next page begins.
package struct DeliveryCursor: Hashable, Sendable {
    /// The place in the list of issued manifests; `nil` for its beginning.
    package var issued: DeliveryPosition?
    /// The place in the list of bundles never fetched; `nil` for its beginning.
    package var unfetched: UnfetchedPosition?

    package init(issued: DeliveryPosition? = nil, unfetched: UnfetchedPosition? = nil) {
        self.issued = issued
        self.unfetched = unfetched
    }

    /// The cursor as a client sends it back: milliseconds and keys, for both lists.
    package var text: String {
        let first = issued.map { "\($0.date.milliseconds).\($0.id)" }
        let second = unfetched.map { "\($0.date.milliseconds).\($0.account.text).\($0.bundle.text)" }
        return "\(first ?? "")~\(second ?? "")"
    }

    /// Reads ``text``; `nil` for any other string.
    package init?(text: String) {
        let lists = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        guard lists.count == 2, let first = lists.first, let second = lists.last else { return nil }
        issued = Self.issued(first)
        unfetched = Self.unfetched(second)
        guard (issued == nil) == first.isEmpty, (unfetched == nil) == second.isEmpty, text != "~" else { return nil }
    }

    private static func issued(_ text: Substring) -> DeliveryPosition? {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let date = date(parts[0]), !parts[1].contains(where: \.isControl) else { return nil }
        return DeliveryPosition(date: date, id: String(parts[1]))
    }

    private static func unfetched(_ text: Substring) -> UnfetchedPosition? {
        let parts = text.split(separator: ".", maxSplits: 2)
        guard parts.count == 3, let date = date(parts[0]), let account = AccountID(text: String(parts[1])),
            let bundle = try? BundleName(checking: String(parts[2]))
        else { return nil }
        return UnfetchedPosition(date: date, account: account, bundle: bundle)
    }

    private static func date(_ text: Substring) -> Date? { Int(text).map(Date.init(milliseconds:)) }

    /// Reads the value of the parameter `after`.
    ///
    /// - Throws: 400 for a value that no page returned as `next`.
    package init(parameter: String) throws {
        guard let cursor = DeliveryCursor(text: parameter) else { throw Problem.wrongPosition }
        self = cursor
    }
}

extension Character {
    fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
