/// The name of a unit of credits: `hints`, `coins`.
public struct Currency: Identifier {
    public let text: String

    public init(stored text: String) { self.text = text }

    public static func == (first: Self, second: Self) -> Bool { first.text == second.text }

    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}
