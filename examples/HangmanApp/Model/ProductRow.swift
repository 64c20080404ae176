import Foundation
import QuartermasterClient

/// A product as its row in the shop shows it.
struct ProductRow: Identifiable, Equatable {
    var id: String
    var name: String
    var detail: String
    /// The words of the button: the price, or why there is none to tap.
    var button: String
    var isEnabled: Bool
    /// Whether a tap buys more of what the player has: time of a theme that runs.
    var extends = false
}

extension ShopState {
    /// The kind of credits that the game spends.
    static let hints = "hints"

    var hintsLeft: Int { balances[Self.hints, default: 0] }

    /// The products but subscriptions that renew, which have a screen of their own, in the server's order.
    func productRows(_ dates: Date.FormatStyle = .day) -> [ProductRow] {
        products.filter { $0.type != .autoRenewable }.map { row(of: $0, dates) }
    }

    /// The last thing that did not work, for a line under the screens; `nil` if nothing is to be said.
    var statusLine: String? {
        guard canMakePayments else { return "Purchases are not allowed on this device." }
        guard let lastError else { return nil }
        let text: String
        switch lastError.kind {
        case .refreshFailed: text = "The shop cannot be reached. What you own is here."
        case .storeFailed: text = "The App Store does not answer."
        // What was tapped has said it, or the product's row does.
        case .purchaseFailed, .spendFailed, .productUnknown: return nil
        case .downloadFailed: text = "A download did not arrive: \(lastError.subject.map(packTitle) ?? "")"
        default: text = "Something did not work."
        }
        return lastError.requestID.map { "\(text) (\($0))" } ?? text
    }

    /// The state of the account, and what the player can do.
    func accountText(_ times: Date.FormatStyle = Date.FormatStyle(date: .omitted, time: .shortened)) -> String {
        switch account {
        case .none: "An account is made with your first purchase."
        case .awaited(let until):
            "Your account may come from your other device, until \(until.formatted(times)). Or enter its recovery code."
        case .signedIn: "Whoever has the recovery code has the account. Keep it for your next device."
        case .signedOut: "The session has ended. Please enter the recovery code."
        case .blocked: "The account is blocked. Please write to support."
        case .unavailable: "The account cannot be read now."
        }
    }

    private func row(of product: ShopProduct, _ dates: Date.FormatStyle) -> ProductRow {
        var row = ProductRow(
            id: product.id, name: product.displayName, detail: product.description,
            button: product.displayPrice ?? "–", isEnabled: false)
        switch product.state {
        case .available: row.isEnabled = true
        case .unavailable(let reason): (row.button, row.detail) = ("Unavailable", reason.text ?? row.detail)
        case .buying: row.button = "Buying…"
        case .pending:
            (row.button, row.detail) = ("Ask again", "Somebody has to approve it. Then it is there by itself.")
            row.isEnabled = true
        case .waiting: (row.button, row.detail) = ("Paid", "It is paid, and comes by itself.")
        case .owned(nil): row.button = "Owned"
        case .owned(let until?):
            row.detail = "Until \(until.formatted(dates))"
            row.extends = product.type == .nonRenewing
            row.isEnabled = row.extends && product.store != nil
        }
        row.isEnabled = row.isEnabled && canMakePayments
        return row
    }
}

extension UnavailableReason {
    fileprivate var text: String? {
        switch self {
        case .storeNotReached: "The App Store does not answer."
        case .unknownToStore: "The App Store does not sell it here."
        default: nil
        }
    }
}

extension Date.FormatStyle {
    /// A day, without the time.
    static let day = Date.FormatStyle(date: .abbreviated, time: .omitted)
}

extension PurchaseResult {
    /// The words for a player after a purchase; `nil` if there is nothing to tell.
    func text(about name: String) -> String? {
        switch self {
        case .delivered, .alreadyDelivered: "\(name): it is there."
        case .pending: "\(name): somebody has to approve it. Then it is there by itself."
        case .waiting(nil): "\(name): it is paid, and comes by itself."
        case .waiting: "\(name): it is there, until the App Store has confirmed it."
        case .denied(_, let remedy?): "\(name): \(remedy.text)"
        case .denied(let reason, nil):
            "\(name): nothing was given for it (\(reason.rawValue)). Please write to support."
        case .cancelled: nil
        }
    }
}

extension Remedy {
    /// A way to get what another account has.
    var text: String {
        switch self {
        case .recoveryCode: "it belongs to another account. Enter that account's recovery code."
        case .support: "it belongs to another account. Please write to support."
        default: "it belongs to another account. Restore purchases to bring it here."
        }
    }
}

/// The words for a player about an error, with the request's ID if support can look it up.
func text(about error: any Error) -> String {
    let requestID = (error as? ServerProblem)?.requestID
    return requestID.map { "\(error.localizedDescription) (\($0))" } ?? error.localizedDescription
}
