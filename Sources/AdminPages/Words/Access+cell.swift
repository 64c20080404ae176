import InAppPurchase
import ServerCore

extension Access {
    /// Whether the product can be used, and until when or why not.
    func cell(_ visit: Visit) -> Cell {
        switch self {
        case .granted(nil): .badge("Yes", .good)
        case .granted(let until?): .badge("Yes", .good, note: "until \(visit.time(until).text)")
        case .denied(.consumed): .badge("Used up at once", .plain, note: DenialReason.consumed.words)
        case .denied(let reason): .badge("No", .bad, note: reason.words)
        }
    }
}
