import Content
import Foundation
import InAppPurchase
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// The real program is killed while it publishes: the old version or the new one is there, complete.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct PublishCrashTests {
    static let kills = 12
    /// `PUBLISH_KILLS` asks for more than the kills of one folder.
    static let rounds = max(1, (ProcessInfo.processInfo.environment["PUBLISH_KILLS"].flatMap { Int($0) } ?? 0) / kills)
    static let files = 24

    @Test(.serialized, arguments: 1...rounds)
    func `A kill while publishing leaves the old version or the new one`(round: Int) async throws {
        let desk = try PublishingServices()
        var generator = SeededGenerator(seed: UInt64(round))
        var (cut, done, undone) = (0, 0, 0)
        // How many depends on how busy the machine is: until there is one of each kind.
        for kill in 1...20 * Self.kills where kill <= Self.kills || cut == 0 || undone == 0 {
            let old = try await desk.newest()
            let files = Dictionary(
                uniqueKeysWithValues: (0..<Self.files).map { place in
                    // Half of them are those of the previous version.
                    ("\(place % 3)/\(place).txt", "\(place) \(place.isMultiple(of: 2) ? 0 : kill)")
                })
            let source = try desk.source(files)
            let publish = ["bundles", "publish", source, "--bundle", "hard-words", "--version", "1.\(kill).0"]
            let moment =
                desk.marks + Int.random(in: 0...(kill == 1 ? Self.files : Self.files / 2) + 1, using: &generator)
            if try await desk.kill(publish, when: { $0 >= moment }) { cut += 1 }
            let new = try await desk.newest()
            #expect(new == old || new == "1.\(kill).0")
            if new == old { undone += 1 } else { done += 1 }
            try await desk.expectNothingWrong()
            // Whoever was cut off does it again.
            #expect(try await desk.run(command: publish).status == 0)
            #expect(try await desk.newest() == "1.\(kill).0")
        }
        #expect(cut > 0 && undone > 0, "\(cut) were cut, \(done) had been published")
        try await desk.expectNothingLeaked()
    }
}

extension PublishingServices {
    /// Rises while something is published: files that were begun, objects, records.
    fileprivate var marks: Int {
        let store = content.appending(path: ".store").path
        return (try? FileManager.default.subpathsOfDirectory(atPath: store).count) ?? 0
    }

    /// Runs the program and kills it.
    /// - Returns: whether it was killed before its end.
    fileprivate func kill(_ arguments: [String], when isTime: (Int) -> Bool) async throws -> Bool {
        let process = try process(arguments)
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        while process.isRunning, !isTime(marks) { await Task.yield() }
        // The number of a process that has not been waited for belongs to no other.
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }

    /// Everything that is published is complete, whatever was left half done.
    fileprivate func expectNothingWrong() async throws {
        let inspection = await ContentInspection(of: .folder(content.path), at: Date())
        #expect(inspection.problems == [])
        #expect(try await inspection.verify() == [])
        #expect(inspection.records.allSatisfy { $0.state == .published })
    }

    /// When the store is tidied it has the files of its versions, each once, and no others.
    fileprivate func expectNothingLeaked() async throws {
        #expect(try await run(["collect", "--grace", "0"]).status == 0)
        try await expectNothingWrong()
        let store = content.appending(path: ".store")
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.appending(path: "incoming").path) == [])
        let objects = try FileManager.default.subpathsOfDirectory(atPath: store.appending(path: "objects").path)
            .filter { $0.contains("/") }.map { String($0.drop { $0 != "/" }.dropFirst()) }
        let stored = await ContentInspection(of: .folder(content.path), at: Date()).records.filter {
            $0.publishedAt != nil
        }
        #expect(Set(objects) == Set(stored.flatMap(\.manifest.files).map(\.sha256)))
    }
}
