import Ledger

extension Posting.Kind {
    /// Why a balance changed, in words.
    var words: String {
        switch self {
        case .credit: "bought"
        case .refund: "taken back after a refund"
        case .upgraded: "taken back for the time that was left at a change of plan"
        case .spend: "spent"
        case .adjustment: "changed by support"
        case .forgiveness: "what was owed after a refund is forgiven"
        case .reset: "sandbox reset"
        case .transfer: "came or went with a transferred purchase"
        case .correction: "were counted twice before"
        case .starting: "to start with"
        }
    }
}
