import Foundation
import ServerTestSupport
import TestSupport
import Testing

/// The states of a unit with `Type=notify`, as systemd is told them.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct SystemdTests {
    /// systemd names a path, or with an @ in front a name without a file.
    @Test(arguments: [false, true])
    func `The service manager is told that the server serves, and that it stops`(isAbstract: Bool) async throws {
        let desk = try PublishingServices()
        let name = isAbstract ? "@\(UUID().uuidString)" : desk.folder.appending(path: "notify").path
        let socket = try NotifySocket(name)
        let server = try await ServerProcess(folder: desk.folder, environment: ["NOTIFY_SOCKET": name])
        try await server.start()
        do {
            #expect(try await socket.next() == "READY=1")
            await server.terminate()
            #expect(try await socket.next() == "STOPPING=1")
            #expect(try await server.exitStatus() == 0)
        } catch {
            try? await server.kill()
            throw error
        }
    }

    @Test func `The service manager is not told of a server that cannot start`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let socket = try NotifySocket(folder.path("notify"))
        let outcome = try await Program.run(
            ["serve", "--database", "postgres://127.0.0.1:\(try freePort())/none", "--port", "0"],
            environment: ["NOTIFY_SOCKET": folder.path("notify")])
        #expect(outcome.status == 1, "\(outcome)")
        #expect(socket.isEmpty)
    }
}

/// A socket as systemd opens one to be told of a unit's states.
private final class NotifySocket: Sendable {
    private struct Refused: Error { let errno: CInt }

    /// In seconds, on a busy machine.
    private static let maximumWait = 120
    private let descriptor: CInt

    init(_ name: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        guard isBound else { throw Refused(errno: errno) }
        var wait = timeval(tv_sec: Self.maximumWait, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Whether nothing was sent that was not read.
    var isEmpty: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    /// The next datagram.
    func next() async throws -> String {
        try await onDedicatedThread { [descriptor] in
            let size = 1_024
            var bytes = [UInt8](repeating: 0, count: size)
            let count = recv(descriptor, &bytes, size, 0)
            guard count > 0 else { throw Refused(errno: errno) }
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }
}
