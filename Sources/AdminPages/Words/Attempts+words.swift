import Ledger
import ServerCore
import ServerHTTP

extension Attempts {
    /// The last trouble, what can be done about it, and how often the store was asked.
    var words: String {
        guard count > 0 else { return "the App Store was not asked yet" }
        return "\(trouble?.words ?? "the App Store gave no answer"), asked \(count == 1 ? "once" : "\(count) times")"
    }
}

extension Attempts.Trouble {
    /// The trouble in words, with what can be done about it.
    var words: String {
        switch self {
        case .outage: "the App Store does not answer"
        case .ambiguous: "the App Store does not say whether it is genuine; after a few times it counts as malformed"
        case .refusedCredential: "the App Store refuses this server's key or shared secret: correct it in the settings"
        case .badRequest: "the App Store calls the server's request wrong: report it as a mistake of this server"
        case .notFound: "the App Store does not know the transaction ID; it is asked for a day"
        case .clock: "it was signed later than this machine's clock says: correct the clock"
        }
    }
}
