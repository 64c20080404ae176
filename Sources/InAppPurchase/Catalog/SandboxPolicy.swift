package import Foundation

/// The accounts that get access by sandbox purchases, which cost nothing. The purchases are recorded either way.
package enum SandboxPolicy: Hashable, Sendable {
    /// No account.
    case nobody
    /// The accounts that the operator names as testers.
    case testers
    /// Every account.
    case everyone
    /// Every account until the date, and testers for ever: for App Review, which buys in the sandbox with the app that
    /// is about to be sold.
    case everyoneUntil(Date)

    /// Whether the policy gives access to an account; `tester` is whether the operator named it as a tester.
    package func admits(tester: Bool, at date: Date) -> Bool {
        switch self {
        case .nobody: false
        case .testers: tester
        case .everyone: true
        case .everyoneUntil(let end): tester || date < end
        }
    }
}

extension SandboxPolicy: Decodable {
    private enum CodingKeys: CodingKey { case everyoneUntil }

    package init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            switch word {
            case "nobody": self = .nobody
            case "testers": self = .testers
            case "everyone": self = .everyone
            default:
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "one of nobody, testers, everyone, {\"everyoneUntil\": time}"))
            }
            return
        }
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        guard let end = try entry.decodeTimeIfPresent(forKey: .everyoneUntil) else {
            throw entry.invalid(.everyoneUntil, "missing")
        }
        self = .everyoneUntil(end)
    }
}
