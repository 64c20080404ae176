import Hummingbird
import Ledger

/// The optional reason for an edit of the catalog, checked like that of an act of support.
struct EditReason: Hashable, Sendable {
    let text: String

    /// Creates a reason; `nil` if it is empty, longer than ``SupportAct/maximumReasonCharacters`` or has control
    /// characters.
    init?(_ text: String) {
        guard let reason = SupportAct.checked(reason: text) else { return nil }
        self.text = reason
    }
}

extension Request {
    /// The reason for an edit, from the query; `nil` without one.
    ///
    /// - Throws: ``Problem``: 422 for one that is empty, too long or has control characters.
    var editReason: EditReason? {
        get throws {
            guard let text = uri.queryParameters["reason"] else { return nil }
            guard let reason = EditReason(String(text)) else { throw Problem.wrongReason }
            return reason
        }
    }
}
