import Ledger

extension AdminToken.Role {
    /// The rights of the holder, in the head of each page.
    var words: String {
        switch self {
        case .read: "may look"
        case .support: "may help players"
        case .write: "may change"
        }
    }
}
