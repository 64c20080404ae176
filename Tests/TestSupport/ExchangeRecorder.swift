package import Foundation
import Synchronization

/// Appends every exchange with a server under test to the file that `QUARTERMASTER_RECORD` names, one JSON object a
/// line; without the variable it does nothing.
///
/// `scripts/openapi/traffic.py` compares the record with the descriptions of the interfaces, whose examples are copied
/// from one. `scripts/compare_exchanges.py` compares two records, so that a change which is meant to keep the interface
/// as it is can be seen to.
package enum ExchangeRecorder {
    /// The server that answered.
    package enum Subject: String, Encodable {
        case server, simulator
    }

    /// A request and its answer.
    package struct Exchange {
        package var subject: Subject
        package var test: String
        package var method: String
        package var path: String
        package var requestHeaders: [String: String]
        package var requestBody: Data
        package var status: Int
        package var headers: [String: String]
        package var body: Data

        package init(
            with subject: Subject, in test: String, _ method: String, _ path: String, headers: [(String, String)],
            body: Data, status: Int, answer: (headers: [(String, String)], body: Data)
        ) {
            (self.subject, self.test, self.method, self.path) = (subject, test, method, path)
            (requestHeaders, requestBody) = (Self.members(of: headers), body)
            (self.status, self.headers, self.body) = (status, Self.members(of: answer.headers), answer.body)
        }

        private static func members(of fields: [(String, String)]) -> [String: String] {
            Dictionary(fields.map { ($0.lowercased(), $1) }) { "\($0), \($1)" }
        }
    }

    private struct Raw: Encodable {
        var subject = Subject.server
        var test: String
        var sent: String
        var received: String
    }

    /// Of larger bodies only the length is recorded: a record of all tests has some ten thousand exchanges.
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

    package static let isOn = file.withLock { $0 != nil }

    package static func record(_ exchange: @autoclosure () -> Exchange) throws { if isOn { try write(exchange()) } }

    /// Records everything that went over one connection with the server, if it is short and text: what was asked in
    /// `sent` and answered in `heard` is taken apart by whoever reads the record.
    package static func recordConnection(_ sent: String, _ received: String, in test: String) throws {
        guard isOn, sent.utf8.count <= maximumBody, received.utf8.count <= maximumBody else { return }
        try write(Raw(test: test, sent: sent, received: received))
    }

    private static func write(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = try encoder.encode(value) + Data("\n".utf8)
        try file.withLock { try $0?.write(contentsOf: line) }
    }
}

extension ExchangeRecorder.Exchange: Encodable {
    private enum CodingKeys: CodingKey {
        case subject, test, method, path, requestHeaders, requestBody, status, headers, body
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(subject, forKey: .subject)
        try members.encode(test, forKey: .test)
        try members.encode(method, forKey: .method)
        try members.encode(path, forKey: .path)
        try members.encode(requestHeaders, forKey: .requestHeaders)
        try members.encode(ExchangeRecorder.text(of: requestBody), forKey: .requestBody)
        try members.encode(status, forKey: .status)
        try members.encode(headers, forKey: .headers)
        try members.encode(ExchangeRecorder.text(of: body), forKey: .body)
    }
}

extension ExchangeRecorder {
    fileprivate static func text(of bytes: Data) -> String {
        guard bytes.count <= maximumBody, let text = String(validating: bytes, as: UTF8.self) else {
            return "\(bytes.count) bytes"
        }
        return text
    }
}
