import Foundation
import InAppPurchase
import QuartermasterServer
import ServerTestSupport
import Testing

@testable import ServerCore
@testable import ServerHTTP

/// The explanation of why a file cannot be used: whose it is, and who we are.
@Suite struct LocalUserTests {
    private static let stranger = LocalUser(id: 54_321, groups: [])

    /// Runs a test with a file in a folder that everybody may look into.
    private func withFile(_ test: (_ folder: String, _ file: String) throws -> Void) throws {
        // The temporary folder of a test may be closed to others.
        let folder = "/tmp/qm-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/settings.json"
        try Data("{}".utf8).write(to: URL(filePath: file))
        try test(folder, file)
    }

    private func set(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `A file of another user is named with its owner and the user`() throws {
        try withFile { folder, file in
            let (us, other) = (LocalUser.current, Self.stranger)
            let member = LocalUser(id: other.id, groups: us.groups)
            let words = "belongs to \(us.name) (mode 0640), and this command runs as \(other.name)"
            try set(0o640, file)
            #expect(other.hindrance(at: file) == "the file \(file) \(words)")
            #expect(us.hindrance(at: file) == nil && member.hindrance(at: file) == nil)
            #expect(member.hindrance(at: file, writing: true)?.hasPrefix("the folder \(folder) belongs to") == true)
            try set(0o644, file)
            #expect(other.hindrance(at: file) == nil)
            try set(0o700, folder)
            #expect(
                other.hindrance(at: file)?.hasPrefix("the folder \(folder) belongs to \(us.name) (mode 0700)") == true)
            #expect(other.hindrance(at: file, orMissing: false) == other.hindrance(at: file))
            #expect(LocalUser(id: 0, groups: []).hindrance(at: file, writing: true) == nil, "nothing stops root")
        }
    }

    @Test func `What is missing is named`() throws {
        try withFile { folder, file in
            let us = LocalUser.current
            #expect(us.hindrance(at: file + "x") == "there is no such file")
            #expect(us.hindrance(at: file + "x", orMissing: false) == nil)
            #expect(us.hindrance(at: file + "x", writing: true) == nil, "it may be created")
            #expect(us.hindrance(at: folder + "/a/b", writing: true) == "there is no folder \(folder)/a")
        }
    }

    /// SQLite says only that it is unable to open the file.
    @Test func `A ledger that cannot be opened is explained`() throws {
        try withFile { folder, _ in
            let place = folder + "/none/ledger.sqlite"
            let error = #expect(throws: CommandError.self) {
                try LedgerOpener.open(place, handlers: Server.standardHandlers)
            }
            let sentence = error?.description ?? ""
            #expect(sentence.hasPrefix("\(place): the ledger cannot be opened: SQLite 14: "), "\(sentence)")
            #expect(sentence.hasSuffix("; there is no folder \(folder)/none"), "\(sentence)")
        }
    }
}
