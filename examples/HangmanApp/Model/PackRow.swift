import Foundation
import QuartermasterClient

/// A pack or theme as its row shows it.
struct PackRow: Identifiable, Equatable {
    /// The work of its button.
    enum Action: String {
        case download = "Download"
        case update = "Update"
        case pause = "Pause"
        case resume = "Resume"
        case remove = "Remove"
    }

    var id: String
    var title: String
    var detail: String
    /// The share that is here, while it is downloaded.
    var progress: Double?
    /// `nil` if there is nothing to tap.
    var action: Action?
}

/// `hard-words`: “Hard words”.
func packTitle(_ bundle: String) -> String {
    let words = bundle.replacingOccurrences(of: "-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
}

extension ShopState {
    /// Packs that the player has or could have, essential ones first. Those for other languages are left out unless
    /// they are on the device.
    var packRows: [PackRow] {
        let shown = bundles.filter { $0.isForPlayer || $0.installed != nil }
        return (shown.filter(\.isEssential) + shown.filter { !$0.isEssential }).map(row)
    }

    private func row(of bundle: BundleStatus) -> PackRow {
        var row = PackRow(id: bundle.name, title: packTitle(bundle.name), detail: bundle.sizeText)
        guard bundle.isReadable else {
            let products = products.filter { $0.bundles.contains(bundle.name) }.map(\.displayName)
            row.detail = products.isEmpty ? "Not available" : "In: \(products.joined(separator: ", "))"
            return row
        }
        switch bundle.progress?.phase {
        case .checking, .downloading: (row.progress, row.action) = (bundle.progress?.fraction, .pause)
        case .installing: row.progress = 1
        case .paused: (row.progress, row.action) = (bundle.progress?.fraction, .resume)
        case .failed(let error) where error != .cancelled:
            (row.detail, row.action) = (error.localizedDescription, bundle.offeredAction)
        default: row.action = bundle.offeredAction
        }
        return row
    }
}

extension BundleStatus {
    fileprivate var sizeText: String {
        let size = size.map { Int64($0).formatted(.byteCount(style: .file)) }
        return [isEssential ? "Essential" : nil, size].compactMap(\.self).joined(separator: ", ")
    }

    fileprivate var offeredAction: PackRow.Action? {
        if installed == nil { return .download }
        if update != nil { return .update }
        return isEssential ? nil : .remove
    }
}
