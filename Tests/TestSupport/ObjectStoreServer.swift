import Foundation

/// An S3 server of its own process (`scripts/object-store`), with one empty bucket; it ends with this value.
///
/// It refuses what a real store refuses: signatures are computed anew by AWS's own code, links end, and bodies must
/// have the hash that was signed.
package final class ObjectStoreServer: Sendable {
    /// The fault that it has.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package static let region = "eu-test-1"
    package static let accessKeyID = "AKIDTEST"
    package static let secretAccessKey = "test-secret"
    /// Its bucket, as it is written in settings.
    package static let location = "s3://words"

    /// Whether its parts are installed: `scripts/object-store/tools.sh` installs them, and `make test` calls that.
    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

    private static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static var python: String { project.appending(path: ".build/object-store-venv/bin/python").path }

    /// The endpoint of one for all tests that need nothing of their own; each has its own prefix in the bucket. Or the
    /// endpoint of a real store with this bucket and these keys (`make test-s3`).
    package static func sharedEndpoint() async throws -> String {
        if let real = ProcessInfo.processInfo.environment["QUARTERMASTER_TEST_OBJECT_STORE"] { return real }
        return try await one.value.endpoint
    }
    private static let one = Task { try await ObjectStoreServer() }

    package let endpoint: String
    private let process: Process
    /// Descriptors of this process's ends.
    private let (input, output): (CInt, CInt)
    private let queue: DispatchQueue

    package init() async throws {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: Self.python)
        process.arguments = ["-B", Self.project.appending(path: "scripts/object-store/server.py").path]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let queue = DispatchQueue(label: "object store server")
        self.process = process
        self.queue = queue
        // A program that another test starts must not keep them open.
        let ends = (
            fcntl(input.fileHandleForWriting.fileDescriptor, F_DUPFD_CLOEXEC, 0),
            fcntl(output.fileHandleForReading.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        )
        (self.input, self.output) = ends
        try input.fileHandleForWriting.close()
        try output.fileHandleForReading.close()
        guard let port = Int(await Self.line(of: ends.1, on: queue)) else {
            throw Failure(description: "the object store does not start")
        }
        endpoint = "http://127.0.0.1:\(port)"
    }

    deinit {
        close(input)
        close(output)
        // Waiting for its end here would keep other tests from going on.
        process.terminate()
    }

    /// Tells it what to do: `now SECONDS`, `fail COUNT` or `lose TEXT`.
    package func receive(_ command: String) async throws {
        let line = Array("\(command)\n".utf8)
        guard write(input, line, line.count) == line.count, await Self.line(of: output, on: queue) == "ok" else {
            throw Failure(description: "the object store did not understand: \(command)")
        }
    }

    /// Waits for it; ends with the process.
    private static func line(of file: CInt, on queue: DispatchQueue) async -> String {
        await withCheckedContinuation { continuation in
            queue.async {
                var (line, byte) = ([UInt8](), UInt8(0))
                while read(file, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
                continuation.resume(returning: String(decoding: line, as: UTF8.self))
            }
        }
    }
}
