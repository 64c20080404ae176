public import Foundation

/// Who is entitled by sandbox purchases, which cost nothing. They are recorded either way.
public enum SandboxPolicy: Hashable, Sendable {
    case nobody
    /// Accounts that the operator names.
    case testers
    case everyone
    /// For App Review, which buys in the sandbox with the app that is about to be sold.
    case everyoneUntil(Date)

    public func admits(tester: Bool, at date: Date) -> Bool {
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

    public init(from decoder: any Decoder) throws {
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
            throw entry.mistake(.everyoneUntil, "missing")
        }
        self = .everyoneUntil(end)
    }
}
