import ArgumentParser
import Logging

/// Whether a command says that it did what it was asked to. Mistakes are printed in any case, and so is what was asked
/// for: a token, a list, JSON.
struct Confirmation: ParsableArguments {
    @Flag(help: "Print nothing if all went well; mistakes are printed still, and what --json asks for.")
    var quiet = false

    /// The level of what is logged beside it: with --quiet what went well is not logged either.
    func logLevel(_ level: Logger.Level) -> Logger.Level { quiet ? max(level, .warning) : level }

    /// Prints that it was done, or that nothing is wrong.
    func print(_ text: String) {
        if !quiet { Swift.print(text) }
    }
}
