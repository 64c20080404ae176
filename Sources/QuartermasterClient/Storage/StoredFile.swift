import Foundation

/// A value in a JSON file, written beside and renamed: a reader sees the old value or the new one.
struct StoredFile<Value: Codable & Sendable>: Sendable {
    private struct Envelope: Codable {
        let format: Int
        let value: Value
    }

    /// The envelope without its value, which another format may have in another form.
    private struct Format: Decodable {
        let format: Int
    }

    let url: URL
    /// The version of the format, changed when older values can no longer be read.
    let format: Int

    init(_ url: URL, format: Int = 1) {
        self.url = url
        self.format = format
    }

    /// The value, or `nil` if there is no file, or one of an older format. A damaged file, which nothing will ever
    /// read, counts as missing as well, but is not deleted: it is moved aside, to the name with `.damaged` added.
    ///
    /// - Throws: ``NewerFileError`` for a newer format, or what the file system throws: there is a value then, and
    ///   nothing may be written over it.
    func load() throws -> Value? {
        do {
            return try read()
        } catch is DecodingError {
            try DurableFile.rename(url, to: url.appendingPathExtension("damaged"))
            return nil
        }
    }

    /// The same, and nothing is moved.
    ///
    /// - Throws: also `DecodingError` for a damaged file.
    func read() throws -> Value? {
        guard let bytes = try bytes() else { return nil }
        let found = try JSONDecoder().decode(Format.self, from: bytes).format
        if found > format { throw NewerFileError(name: url.lastPathComponent) }
        return found == format ? try JSONDecoder().decode(Envelope.self, from: bytes).value : nil
    }

    /// The value of a file that can be had anew, or `nil` if it cannot be read.
    func loadIfReadable() -> Value? { (try? load()) ?? nil }

    /// Replaces the value. When this returns, it survives the end of the process and a loss of power.
    func save(_ value: Value) throws {
        try DurableFile.write(try JSONEncoder().encode(Envelope(format: format, value: value)), to: url)
    }

    /// Removes the file. The second time nothing happens.
    func remove() { try? FileManager.default.removeItem(at: url) }

    private func bytes() throws -> Data? {
        do {
            return try Data(contentsOf: url)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return nil
        }
    }
}
