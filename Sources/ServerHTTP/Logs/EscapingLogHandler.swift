import InAppPurchase
package import Logging

/// Escapes what could end a line of the log, cut it off or disguise it: control characters, line and paragraph
/// separators, and bidirectional controls, in messages, metadata and errors.
///
/// So a line of the log is one event, whatever a client sent. The escapes are `\n`, `\r`, `\t`, and for all others
/// `\u{1B}` and the like.
package struct EscapingLogHandler<Base: LogHandler>: LogHandler {
    private var base: Base

    /// - Parameter base: writes the lines.
    package init(_ base: Base) { self.base = base }

    package var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue.escaped }
    }

    package var metadataProvider: Logger.MetadataProvider? {
        get { base.metadataProvider }
        set { base.metadataProvider = newValue.map { provider in .init { provider.get().escaped } } }
    }

    package subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key.escapedForLog] = newValue?.escaped }
    }

    package func log(event: LogEvent) {
        var event = event
        event.message = "\(event.message.description.escapedForLog)"
        var metadata = event.metadata?.escaped
        if let error = event.error {
            // Otherwise the base would write the error's text unescaped.
            let text: Logger.Metadata = [
                "error.message": "\("\(error)".escapedForLog)", "error.type": "\(String(reflecting: type(of: error)))",
            ]
            metadata = (metadata ?? [:]).merging(text) { $1 }
            event.error = nil
        }
        event.metadata = metadata
        base.log(event: event)
    }
}

extension Logger.Metadata {
    fileprivate var escaped: Logger.Metadata {
        // Copied only if there is anything to escape.
        guard contains(where: { !$0.key.isPlain || !$0.value.isPlain }) else { return self }
        return Logger.Metadata(map { ($0.key.escapedForLog, $0.value.escaped) }) { _, last in last }
    }
}

extension String {
    /// Whether it is printable ASCII.
    fileprivate var isPlain: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

extension Logger.MetadataValue {
    /// Whether it is a string of printable ASCII.
    fileprivate var isPlain: Bool { if case .string(let text) = self { text.isPlain } else { false } }

    fileprivate var escaped: Logger.MetadataValue {
        switch self {
        case .string(let text): .string(text.escapedForLog)
        case .stringConvertible(let value): .string(value.description.escapedForLog)
        case .array(let values): .array(values.map(\.escaped))
        case .dictionary(let values): .dictionary(values.escaped)
        }
    }
}

extension String {
    /// The string on one line: control characters, line separators and bidirectional controls are escaped as `\n`,
    /// `\r`, `\t` or, for all others, `\u{1B}` and the like.
    var escapedForLog: String {
        // Most are printable ASCII, and need no look-up in Unicode's tables.
        guard utf8.contains(where: { !(0x20...0x7E).contains($0) }), hasControlCharacters || hasBidirectionalControls
        else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isControlCharacter || scalar.properties.isBidiControl:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
