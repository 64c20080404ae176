import Ledger
import ServerCore
import ServerHTTP

extension EditReason {
    /// The field of a form for a reason that may be left out.
    static func field(_ value: String = "") -> Field {
        .input(
            "Reason", name: "reason", value: value,
            hint: "A ticket number and a few words. Recorded in the audit trail. Optional.",
            isRequired: false, maximum: SupportAct.maximumReasonCharacters)
    }

    /// The reason that was filled in; `nil` for none.
    ///
    /// - Throws: ``/ServerHTTP/Problem``: 422 for one that is too long or has control characters.
    static func filled(in form: FormBody) throws -> EditReason? {
        guard !form["reason"].isEmpty else { return nil }
        guard let reason = EditReason(form["reason"]) else { throw Problem.wrongReason }
        return reason
    }
}
