import Logging

/// Writes one line for each event, in the form of swift-log's own handler: time, level, label, metadata by name, source
/// in brackets, message.
///
/// That handler asks the kernel whether the time zone changed, for each line; this one once a second.
struct LineLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    /// The initial capacity of a line in bytes: most are not longer, and none is copied while it grows to it.
    private static let usualLength = 320
    private let label: String
    private let stream: any TextOutputStream & Sendable

    /// - Parameter stream: receives each line whole.
    init(label: String, stream: any TextOutputStream & Sendable = StandardErrorStream()) {
        self.label = label
        self.stream = stream
    }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = ""
        line.reserveCapacity(Self.usualLength)
        line += LogClock.shared.text
        line += " "
        line += event.level.rawValue
        line += " "
        line += label
        line += ":"
        for (name, value) in all(event).sorted(by: { $0.key < $1.key }) {
            line += " "
            line += name
            line += "="
            if case .string(let text) = value { line += text } else { line += value.description }
        }
        line += " ["
        line += event.source
        line += "] "
        line += event.message.description
        line += "\n"
        var stream = stream
        stream.write(line)
    }

    private func all(_ event: LogEvent) -> Logger.Metadata {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata {
            if all.isEmpty { all = own } else { all.merge(own) { $1 } }
        }
        if let error = event.error {
            all["error.message"] = "\(error)"
            all["error.type"] = "\(String(reflecting: type(of: error)))"
        }
        return all
    }
}
