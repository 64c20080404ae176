import Foundation
import NIOCore
import NIOHPACK
import ServerHTTP
package import TestSupport
import Testing

extension ExchangeRecorder {
    /// Records what went over a connection under TLS: as HTTP/2 if the client began so, otherwise as HTTP/1.
    package static func recordConnection(_ sent: [UInt8], _ received: [UInt8]) throws {
        guard isOn else { return }
        guard sent.starts(with: HTTP2Frame.magic) else {
            return try recordConnection(
                String(decoding: sent, as: UTF8.self), String(decoding: received, as: UTF8.self))
        }
        let asked = try messages(in: Array(sent.dropFirst(HTTP2Frame.magic.count)))
        for (stream, answer) in try messages(in: received) where answer.isWhole {
            guard let request = asked[stream], let method = request.head.first(name: ":method"),
                let path = request.head.first(name: ":path"), let status = answer.head.first(name: ":status")
            else { continue }
            try record(
                Exchange(
                    with: .server, in: Test.current.map { "\($0.id)" } ?? "", method, path,
                    headers: request.head.map { ($0.name, $0.value) }, body: request.body, status: Int(status) ?? 0,
                    answer: (answer.fields, answer.body)))
        }
    }

    /// The frames that came or went on one stream.
    private struct Message {
        var head = HPACKHeaders()
        var body = Data()
        var isWhole = false

        /// Without what HTTP/1 has in its first line.
        var fields: [(String, String)] { head.filter { !$0.name.hasPrefix(":") }.map { ($0.name, $0.value) } }
    }

    /// By stream. Heads are decoded in order, since each may refer to earlier ones.
    private static func messages(in bytes: [UInt8]) throws -> [UInt32: Message] {
        var (found, decoder) = ([UInt32: Message](), HPACKDecoder(allocator: ByteBufferAllocator()))
        for frame in HTTP2Frame.all(in: bytes) {
            switch frame.kind {
            case .headers:
                var block = ByteBuffer(bytes: frame.payload)
                found[frame.stream, default: Message()].head = try decoder.decodeHeaders(from: &block)
            case .data: found[frame.stream, default: Message()].body += frame.payload
            default: continue
            }
            if frame.flags & HTTP2Frame.endStream != 0 { found[frame.stream]?.isWhole = true }
        }
        return found
    }
}
