import Foundation
import InAppPurchase

extension TextOutput {
    /// A time as people read it, or in a pipe as RFC 3339.
    func time(_ date: Date) -> String { isTerminal ? PageTime(date, now: date).text : date.rfc3339 }

    /// A number of bytes as people read it, or in a pipe in digits.
    func size(_ bytes: Int) -> String { isTerminal ? bytes.sizeText : "\(bytes)" }

    /// Prints a table without colours. An empty one is a word on a terminal, and nothing in a pipe.
    ///
    /// - Parameter remarks: lines for people, below the table; in a pipe they go to standard error.
    func print(_ table: TextTable, remarks: [String] = []) {
        let safe = table.withoutControlCharacters
        if !safe.rows.isEmpty {
            Swift.print(safe.text(for: self))
        } else if isTerminal {
            Swift.print("none")
        }
        print(remarks: remarks)
    }

    /// Prints lines for people; in a pipe they go to standard error.
    func print(remarks: [String]) {
        for remark in remarks {
            if isTerminal {
                Swift.print(remark)
            } else {
                try? FileHandle.standardError.write(contentsOf: Data("\(remark)\n".utf8))
            }
        }
    }
}
