import Foundation
import NIOCore
import Testing

@testable import AdminPages
@testable import CommandLine

/// Forms with files, as browsers send them and as nobody should.
@Suite struct MultipartParserTests {
    private static let type = "multipart/form-data; boundary=----WebKitFormBoundaryAbC123"
    private static let form = """
        ------WebKitFormBoundaryAbC123\r
        Content-Disposition: form-data; name="csrf"\r
        \r
        secret\r
        ------WebKitFormBoundaryAbC123\r
        content-disposition: form-data; name="files"; filename="a%22%0D%0Ab ü.txt"\r
        Content-Type: text/plain\r
        \r
        one\r
        two\r\r
        ------WebKitFormBoundaryAbC12\r
        --\r
        ------WebKitFormBoundaryAbC123\r
        Content-Disposition: form-data; name="files"; filename=""\r
        Content-Type: application/octet-stream\r
        \r
        \r
        ------WebKitFormBoundaryAbC123--\r
        epilogue
        """

    private static func read(_ text: String, type: String = type, pieces: Int) throws -> [(MultipartHead, String)] {
        var parser = try MultipartParser(contentType: type)
        var (parts, rest): ([(MultipartHead, [UInt8])], [UInt8]) = ([], Array(text.utf8))
        var ended = 0
        while !rest.isEmpty {
            for event in try parser.read(ByteBuffer(bytes: rest.prefix(pieces))) {
                switch event {
                case .part(let head): parts.append((head, []))
                case .bytes(let bytes): parts[parts.count - 1].1 += Array(bytes.readableBytesView)
                case .end: ended += 1
                }
            }
            rest = Array(rest.dropFirst(pieces))
        }
        try parser.finish()
        #expect(ended == parts.count)
        return parts.map { ($0.0, String(decoding: $0.1, as: UTF8.self)) }
    }

    @Test func `A form with files is read however it arrives`() throws {
        for pieces in Array(1...70) + [10_000] {
            let parts = try Self.read(Self.form, pieces: pieces)
            #expect(
                parts.map(\.0) == [
                    MultipartHead(name: "csrf"), MultipartHead(name: "files", fileName: "a\"\r\nb ü.txt"),
                    MultipartHead(name: "files", fileName: ""),
                ], "\(pieces)")
            #expect(
                parts.map(\.1) == ["secret", "one\r\ntwo\r\r\n------WebKitFormBoundaryAbC12\r\n--", ""], "\(pieces)")
        }
        let quoted = try Self.read(
            "preamble\r\n--a b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\r\n--a b--",
            type: "Multipart/Form-Data; charset=utf-8; Boundary=\"a b\"", pieces: 3)
        #expect(quoted.map(\.1) == [""])
    }

    @Test func `A malformed form with files is refused`() {
        for type in [
            nil, "text/plain", "multipart/form-data", "multipart/form-data; boundary=",
            "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
        ] { #expect(throws: MultipartError.notAForm, "\(type ?? "")") { try MultipartParser(contentType: type) } }
        let head = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n"
        let bad: [(String, MultipartError)] = [
            ("", .unfinished), ("--b", .unfinished), (head + "value", .unfinished),
            (head + "value\r\n--b", .unfinished),
            ("--bb\r\n", .unreadable), ("--b \r\n", .unreadable), ("--b\r\nX: y\r\n\r\n\r\n--b--", .unreadable),
            ("--b\r\nContent-Disposition: form-data\r\n\r\n\r\n--b--", .unreadable),
            ("--b\r\n" + String(repeating: "x", count: MultipartParser.maximumHead), .longHead),
            (String(repeating: head + "\r\n", count: MultipartParser.maximumParts + 1) + "--b--", .tooManyParts),
        ]
        for (text, error) in bad {
            for pieces in [7, 100_000] {
                #expect(throws: error, "\(text.prefix(60))") {
                    try Self.read(text, type: "multipart/form-data; boundary=b", pieces: pieces)
                }
            }
        }
        #expect(throws: MultipartError.unreadable) {
            var parser = try MultipartParser(contentType: "multipart/form-data; boundary=b")
            _ = try parser.read(
                ByteBuffer(
                    bytes: Array("--b\r\nContent-Disposition: form-data; name=\"".utf8) + [0xFF, 0x22]
                        + Array("\r\n\r\n".utf8)))
        }
    }
}
