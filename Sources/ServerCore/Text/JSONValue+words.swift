import Foundation
import InAppPurchase
import ServerHTTP

extension JSONValue {
    /// The value on one line; of objects and lists what is in them.
    package var words: String { line { $0 } }

    /// The same, with times as people read them on a terminal, and as they are in a pipe.
    package func words(_ output: TextOutput) -> String {
        line { text in output.isTerminal ? Date(rfc3339: text).map(output.time) ?? text : text }
    }

    /// - Parameter write: writes a string.
    package func line(_ write: (String) -> String) -> String {
        switch self {
        case .null: "none"
        case .string(let text): write(text)
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .bool(let flag): flag ? "yes" : "no"
        case .array(let values): values.isEmpty ? "none" : values.map { $0.line(write) }.joined(separator: ", ")
        case .object(let members):
            members.isEmpty
                ? "none" : members.sorted { $0.key < $1.key }.map { "\($0) \($1.line(write))" }.joined(separator: ", ")
        }
    }
}
