package import Foundation
import InAppPurchase
import ServerHTTP

/// The output of a command: people read a terminal, programs read a pipe.
package struct TextOutput: Sendable {
    /// The colours of states. All sequences have the same length; ``length`` includes the one that ends them.
    package enum Colour: String {
        case red = "\u{1B}[31m"
        case green = "\u{1B}[32m"
        case yellow = "\u{1B}[33m"

        static let end = "\u{1B}[0m"
        static let length = red.rawValue.count + end.count
    }

    package var isTerminal: Bool
    /// Whether text is coloured: on a terminal, unless NO_COLOR is set (no-color.org) or the terminal has none.
    var hasColours: Bool

    /// The standard output of this process.
    ///
    /// - Parameters:
    ///   - environment: the environment of the process.
    ///   - isTerminal: whether people read it.
    package static func standard(
        _ environment: [String: String] = ProcessInfo.processInfo.environment,
        isTerminal: Bool = isatty(STDOUT_FILENO) == 1
    ) -> TextOutput {
        let refuses = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return TextOutput(isTerminal: isTerminal, hasColours: isTerminal && !refuses && environment["TERM"] != "dumb")
    }

    package func coloured(_ text: String, _ colour: Colour) -> String {
        hasColours ? "\(colour.rawValue)\(text)\(Colour.end)" : text
    }
}

extension TextOutput {
    /// A time as people read it, or in a pipe as RFC 3339.
    package func time(_ date: Date) -> String { isTerminal ? PageTime(date, now: date).text : date.rfc3339 }

    /// A number of bytes as people read it, or in a pipe in digits.
    package func size(_ bytes: Int) -> String { isTerminal ? bytes.sizeText : "\(bytes)" }

    /// Prints a table without colours. An empty one is a word on a terminal, and nothing in a pipe.
    ///
    /// - Parameter remarks: lines for people, below the table; in a pipe they go to standard error.
    package func print(_ table: TextTable, remarks: [String] = []) {
        let safe = table.withoutControlCharacters
        if !safe.rows.isEmpty {
            Swift.print(safe.text(for: self))
        } else if isTerminal {
            Swift.print("none")
        }
        print(remarks: remarks)
    }

    /// Prints lines for people; in a pipe they go to standard error.
    package func print(remarks: [String]) {
        for remark in remarks {
            if isTerminal {
                Swift.print(remark)
            } else {
                try? FileHandle.standardError.write(contentsOf: Data("\(remark)\n".utf8))
            }
        }
    }
}
