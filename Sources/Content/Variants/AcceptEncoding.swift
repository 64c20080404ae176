import Basics
import InAppPurchase

/// The content codings that a client accepts, with their weights (RFC 9110 §12.5.3).
struct AcceptEncoding: Hashable, Sendable {
    /// The weight of a coding that is listed without one (§12.4.2), in thousandths.
    private static let full = 1000

    /// The weights in thousandths, by the coding's name in lower case.
    private var weights: [String: Int] = [:]

    /// - Parameter header: the field's value; `nil` if the request has none. Malformed members of the list are ignored.
    init(_ header: String?) {
        for member in header?.split(separator: ",") ?? [] {
            guard let (coding, weight) = Self.member(member) else { continue }
            // Of two weights for one coding, the lower: a coding that may be refused is not sent.
            weights[coding] = min(weight, weights[coding] ?? weight)
        }
    }

    /// The weight of the coding, from 0 for a last resort to 1000; `nil` if it is refused, or not mentioned.
    func weight(of coding: String) -> Int? {
        let listed = weights[coding] ?? (coding == "gzip" ? weights["x-gzip"] : nil) ?? weights["*"]
        guard let listed else { return coding == "identity" ? 0 : nil }
        return listed > 0 ? listed : nil
    }

    /// Whether the coding is listed by name.
    func names(_ coding: String) -> Bool { weights[coding] != nil }

    /// `codings [ OWS ";" OWS "q=" qvalue ]`, white space around it.
    private static func member(_ text: Substring) -> (coding: String, weight: Int)? {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmingOptionalWhitespace)
        guard let coding = parts.first, !coding.isEmpty, coding.utf8.allSatisfy(\.isTokenCharacter) else { return nil }
        guard let weight = parts.dropFirst().first else { return (coding.lowercased(), full) }
        guard parts.count == 2, let thousandths = thousandths(weight) else { return nil }
        return (coding.lowercased(), thousandths)
    }

    /// `q=` and 0 to 1 with three decimals at most.
    private static func thousandths(_ text: Substring) -> Int? {
        guard text.lowercased().hasPrefix("q=") else { return nil }
        let parts = text.dropFirst(2).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.dropFirst().first ?? ""
        guard decimals.utf8.count <= 3, decimals.isEmpty || decimals.isDecimal,
            let fraction = Int(decimals + String(repeating: "0", count: 3 - decimals.utf8.count))
        else { return nil }
        switch parts.first {
        case "0": return fraction
        case "1": return fraction == 0 ? full : nil
        default: return nil
        }
    }
}

extension UInt8 {
    /// `tchar` (§5.6.2).
    fileprivate var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
