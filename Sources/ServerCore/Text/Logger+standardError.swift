package import Logging
package import ServerHTTP

extension Logger {
    /// A logger that writes one line for each message to standard error.
    package static func standardError(_ level: Logger.Level, _ format: LogFormat = .text) -> Logger {
        var logger = Logger(label: "quartermaster") { _ in LineLogHandler(format) }
        logger.logLevel = level
        return logger
    }
}

extension Settings {
    /// The logger that the settings describe.
    package var logger: Logger { .standardError(logLevel, logFormat) }
}
