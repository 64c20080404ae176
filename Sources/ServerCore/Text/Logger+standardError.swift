package import Logging
import ServerHTTP

extension Logger {
    /// A logger that writes one line for each message to standard error.
    package static func standardError(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "quartermaster") { EscapingLogHandler(LineLogHandler(label: $0)) }
        logger.logLevel = level
        return logger
    }
}
