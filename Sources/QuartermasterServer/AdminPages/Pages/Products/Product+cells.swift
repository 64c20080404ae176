import AdminPages
import Foundation
import InAppPurchase

extension Product {
    /// Whether everybody can buy it now, and if not, when.
    func saleCell(_ visit: Visit) -> Cell {
        let (from, until) = (availability.from, availability.until)
        if let from, visit.date < from {
            return .badge("Not yet", .waiting, note: "from \(visit.time(from).text), \(visit.time(from).distance)")
        }
        if let until, visit.date >= until {
            return .badge("Off sale", .plain, note: "since \(visit.time(until).text)")
        }
        let narrowed = [
            until.map { "until \(visit.time($0).text)" }, availability.minimumAppVersion.map { "from version \($0)" },
            availability.platforms.map { "on \($0.sorted().joined(separator: ", "))" },
            availability.storefronts.map { "in \($0.sorted().joined(separator: ", "))" },
        ].compactMap { $0 }
        return .badge("On sale", .good, note: narrowed.isEmpty ? nil : narrowed.joined(separator: ", "))
    }

    var creditsCell: Cell {
        Cell(credits.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    }

    var bundlesCell: Cell { .actions(bundles.map { Link($0.text, BundleDesk.path($0)) }) }
}
