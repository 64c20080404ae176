import ArgumentParser
import Logging
import ServerCore

/// Whether a command confirms that it succeeded. Errors are printed in any case, and so is requested output: a token, a
/// list, JSON.
struct Confirmation: ParsableArguments {
    @Flag(help: "Print nothing on success, except what --json asks for; errors are still printed.") var quiet = false

    /// The level of the log beside it: with --quiet success is not logged either.
    func logLevel(_ level: Logger.Level) -> Logger.Level { quiet ? max(level, .warning) : level }

    /// Prints that it was done, or that nothing is wrong.
    func print(_ text: String) { if !quiet { Swift.print(text) } }
}
