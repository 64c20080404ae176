package import ArgumentParser
import ServerCore
import ServerHTTP

/// A word in the place of a subcommand's name that is the name of none.
package struct MistypedCommand: Equatable {
    var word: String
    /// The subcommand that was probably meant, with those before it; `nil` if none is near.
    var suggestion: String?

    /// Finds the first word that names no subcommand.
    ///
    /// - Parameter arguments: the arguments of the process, without its name.
    /// - Returns: `nil` if the subcommands are right: the error is in their arguments.
    package init?(in arguments: some Sequence<String>, of command: any ParsableCommand.Type) {
        var (command, path) = (command, [command._commandName])
        for word in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                self.word = word
                suggestion = Self.nearest(to: word, in: subcommands.map { $0._commandName })
                    .map { (path + [$0]).joined(separator: " ") }
                return
            }
            command = next
            path.append(word)
        }
        return nil
    }

    package var description: String {
        "There is no command '\(word)'." + (suggestion.map { " Did you mean '\($0)'?" } ?? "")
    }

    /// The nearest name, of which a third of the letters may be wrong, and always one.
    private static func nearest(to word: String, in names: [String]) -> String? {
        let distances = names.map { (name: $0, distance: distance(from: word.lowercased(), to: $0)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.count / 3) ? best.name : nil
    }

    /// The number of letters to insert, delete, replace or swap with the next one (optimal string alignment).
    private static func distance(from first: String, to second: String) -> Int {
        // A longer word is no misspelt name, and would be expensive to compare.
        guard first.count <= second.count * 2 else { return first.count }
        let (a, b) = (Array(first), Array(second))
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
