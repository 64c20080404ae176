import Foundation

/// A value in a JSON file, written beside and renamed: a reader sees the old value or the new one.
struct StoredFile<Value: Codable & Sendable>: Sendable {
    private struct Envelope: Codable {
        let format: Int
        let value: Value
    }

    let url: URL
    /// The version of the format, changed when older values can no longer be read.
    let format: Int

    init(_ url: URL, format: Int = 1) {
        self.url = url
        self.format = format
    }

    /// The value, or `nil` if there is no file, or one that cannot be read.
    func load() -> Value? {
        guard let bytes = try? Data(contentsOf: url) else { return nil }
        guard let envelope = try? JSONDecoder().decode(Envelope.self, from: bytes), envelope.format == format else {
            return nil
        }
        return envelope.value
    }

    /// Replaces the value. When this returns, it survives the end of the process and a loss of power.
    func save(_ value: Value) throws {
        try DurableFile.write(try JSONEncoder().encode(Envelope(format: format, value: value)), to: url)
    }

    /// Removes the file. The second time nothing happens.
    func remove() { try? FileManager.default.removeItem(at: url) }
}
