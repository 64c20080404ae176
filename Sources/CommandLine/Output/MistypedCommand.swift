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
                suggestion = word.lowercased().nearest(in: subcommands.map { $0._commandName })
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
}
