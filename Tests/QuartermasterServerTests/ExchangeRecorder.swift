import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

/// Appends every exchange with a server under test to the file that `QUARTERMASTER_RECORD` names, one JSON object a
/// line; without the variable it does nothing.
///
/// `scripts/compare_exchanges.py` compares two such files, so that a change which is meant to keep the interface as it is
/// can be seen to. The examples of the interface's description are copied from one.
enum ExchangeRecorder {
    private struct Exchange: Encodable {
        var test: String
        var method: String
        var path: String
        var requestHeaders: [String: String]
        var requestBody: String
        var status: Int
        var headers: [String: String]
        var body: String
    }

    /// Larger bodies are told by their length only: a record of all tests has some ten thousand exchanges.
    private static let maximumBody = 32 << 10

    private static let file = Mutex<FileHandle?>(open())

    private static func open() -> FileHandle? {
        guard let path = ProcessInfo.processInfo.environment["QUARTERMASTER_RECORD"] else { return nil }
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let handle = FileHandle(forWritingAtPath: path)
        _ = try? handle?.seekToEnd()
        return handle
    }

    private static let isOn = file.withLock { $0 != nil }

    static func record(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ body: ByteBuffer?, _ answer: Answer
    ) throws {
        guard isOn else { return }
        let exchange = Exchange(
            test: Test.current.map { "\($0.id)" } ?? "", method: method.rawValue, path: path,
            requestHeaders: members(of: headers), requestBody: text(of: Data((body ?? ByteBuffer()).readableBytesView)),
            status: answer.status, headers: members(of: answer.headers), body: text(of: answer.bytes))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = try encoder.encode(exchange) + Data("\n".utf8)
        try file.withLock { try $0?.write(contentsOf: line) }
    }

    private static func members(of fields: HTTPFields) -> [String: String] {
        Dictionary(fields.map { ($0.name.canonicalName, $0.value) }) { "\($0), \($1)" }
    }

    private static func text(of bytes: Data) -> String {
        guard bytes.count <= maximumBody, let text = String(validating: bytes, as: UTF8.self) else {
            return "\(bytes.count) bytes"
        }
        return text
    }
}
