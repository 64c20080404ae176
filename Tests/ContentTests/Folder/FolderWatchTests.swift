import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Content

/// The content folder is scanned only if something may have changed in it.
@Suite struct FolderWatchTests {
    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("alpha", to: "words/1.0.0/words.txt")
        try folder.write("beta", to: "words/1.0.0/deep/more.txt")
    }

    private func move(_ source: String, to target: String) throws {
        try FileManager.default.moveItem(atPath: folder.path(source), toPath: folder.path(target))
    }

    private func newWatch(maximumFolders: Int = FolderWatch.maximumFolders) throws -> FolderWatch {
        let watch = FolderWatch(FilePath(folder.path), maximumFolders: maximumFolders)
        #expect(watch.isScanDue(at: Self.now), "the first one")
        return watch
    }

    @Test func `Every change in a watched folder makes one scan due`() throws {
        let watch = try newWatch()
        #expect(watch.newProblem() == nil)
        func expect(_ isDue: Bool = true, after act: () throws -> Void, _ line: Int = #line) throws {
            try act()
            #expect(watch.isScanDue(at: Self.now) == isDue, "line \(line)")
            #expect(!watch.isScanDue(at: Self.now), "line \(line)")
        }
        try expect(false) {}
        try expect { try folder.write("x", to: "words/1.0.0/new.txt") }
        try expect { try folder.overwrite("words/1.0.0/deep/more.txt", with: "BETA") }
        try expect { try folder.setModificationDate("words/1.0.0/words.txt", to: Self.now) }
        try expect { try move("words/1.0.0/new.txt", to: "words/1.0.0/newer.txt") }
        try expect { try folder.remove("words/1.0.0/newer.txt") }
        try expect { try folder.createFolder("theme/1.0.0/a/b/c") }
        try expect { try folder.write("x", to: "theme/1.0.0/a/b/c/theme.json") }
        try expect { try move("theme", to: "themes") }
        try expect { try folder.overwrite("themes/1.0.0/a/b/c/theme.json", with: "y") }
        try expect { try folder.remove("themes") }
        try expect(false) { _ = try String(contentsOfFile: folder.path("words/1.0.0/words.txt"), encoding: .utf8) }
        try expect(false) { _ = try FolderListing(of: FilePath(folder.path)) }
    }

    /// A folder that is moved out is no longer watched, and one that is moved in is.
    @Test func `Only folders within the content folder are watched`() throws {
        let outside = try TemporaryFolder()
        try outside.write("x", to: "words/2.0.0/a/words.txt")
        let watch = try newWatch()
        try FileManager.default.moveItem(atPath: outside.path("words/2.0.0"), toPath: folder.path("words/2.0.0"))
        #expect(watch.isScanDue(at: Self.now))
        try folder.overwrite("words/2.0.0/a/words.txt", with: "y")
        #expect(watch.isScanDue(at: Self.now))
        try FileManager.default.moveItem(atPath: folder.path("words/2.0.0"), toPath: outside.path("words/2.0.0"))
        #expect(watch.isScanDue(at: Self.now))
        try outside.overwrite("words/2.0.0/a/words.txt", with: "z")
        #expect(!watch.isScanDue(at: Self.now))
    }

    /// Files arrive in `incoming`, and complete ones are moved to where they are served from.
    @Test func `An upload makes a scan due when it is complete`() throws {
        for name in ["incoming", "objects/00", "bundles", "variants"] { try folder.createFolder(".store/\(name)") }
        let watch = try newWatch()
        try folder.write("x", to: ".store/incoming/a")
        #expect(!watch.isScanDue(at: Self.now))
        try move(".store/incoming/a", to: ".store/objects/00/a")
        #expect(watch.isScanDue(at: Self.now))
        #expect(!watch.isScanDue(at: Self.now))
    }

    @Test func `A scan is due after an interval without a change`() throws {
        let watch = try newWatch()
        let (interval, last) = (FolderWatch.scanInterval, Self.now)
        #expect(!watch.isScanDue(at: last + interval - 1))
        #expect(watch.isScanDue(at: last + interval))
        #expect(!watch.isScanDue(at: last + interval + 1))
        #expect(watch.isScanDue(at: last), "the clock was set back")
        #expect(!watch.isScanDue(at: last + 1))
        watch.suspect()
        #expect(watch.isScanDue(at: last + 1))
        #expect(!watch.isScanDue(at: last + 1))
    }

    /// A deployment swaps a symbolic link, or renames.
    @Test func `Another folder under the same name is noticed`() throws {
        let (other, link) = (try TemporaryFolder(), folder.path + "-link")
        try other.write("x", to: "words/1.0.0/words.txt")
        defer { try? FileManager.default.removeItem(atPath: link) }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        let watch = FolderWatch(FilePath(link))
        #expect(watch.isScanDue(at: Self.now) && !watch.isScanDue(at: Self.now))
        try FileManager.default.removeItem(atPath: link)
        #expect(watch.isScanDue(at: Self.now), "there is none")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other.path)
        #expect(watch.isScanDue(at: Self.now + FolderWatch.scanInterval))
        #expect(!watch.isScanDue(at: Self.now + FolderWatch.scanInterval))
        try other.overwrite("words/1.0.0/words.txt", with: "y")
        #expect(watch.isScanDue(at: Self.now + FolderWatch.scanInterval))
    }

    /// After an overflow of the kernel's queue, folders whose creation was not reported are also watched.
    @Test func `No change is missed after the queue of changes overflowed`() throws {
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let watch = try newWatch()
        let (one, two) = (folder.path("words/1.0.0/words.txt"), folder.path("words/1.0.0/other.txt"))
        for round in 0...(Int(limit.split(separator: "\n").first ?? "") ?? 0) / 2 {
            #expect(rename(round % 2 == 0 ? one : two, round % 2 == 0 ? two : one) == 0)
        }
        try folder.createFolder("late/1.0.0/a")
        #expect(watch.isScanDue(at: Self.now))
        #expect(!watch.isScanDue(at: Self.now))
        try folder.write("x", to: "late/1.0.0/a/late.txt")
        #expect(watch.isScanDue(at: Self.now))
    }

    @Test func `Without room for more watches every scan is due`() throws {
        let watch = try newWatch(maximumFolders: 4)
        #expect(!watch.isScanDue(at: Self.now))
        try folder.createFolder("words/1.1.0")
        for _ in 0..<3 { #expect(watch.isScanDue(at: Self.now)) }
        #expect(watch.newProblem() == .tooManyFolders(limit: 4))
        #expect(watch.newProblem() == nil, "told once")
        try folder.remove("words/1.1.0")
        #expect(watch.isScanDue(at: Self.now + 1), "tried seldom")
        #expect(watch.isScanDue(at: Self.now + FolderWatch.scanInterval))
        #expect(!watch.isScanDue(at: Self.now + FolderWatch.scanInterval + 1))
        #expect(watch.newProblem() == nil)
    }

    @Test func `A missing folder is not watched, and every scan is due`() throws {
        let watch = FolderWatch(FilePath(folder.path("none")))
        for _ in 0..<2 { #expect(watch.isScanDue(at: Self.now)) }
        #expect(watch.newProblem() == .refused(FilePath(folder.path("none")), .noSuchFileOrDirectory))
        try folder.createFolder("none")
        #expect(watch.isScanDue(at: Self.now + FolderWatch.scanInterval))
        #expect(!watch.isScanDue(at: Self.now + FolderWatch.scanInterval))
    }

    // MARK: The repository

    private func repository(isWatched: Bool = true) async throws -> FolderRepository {
        try await FolderRepository(path: folder.path, isWatched: isWatched, at: TemporaryFolder.before)
    }

    /// A change through another name of the file, elsewhere, is not reported.
    @Test func `A watched folder is scanned when it may have changed`() async throws {
        let (outside, later) = (try TemporaryFolder(), TemporaryFolder.before)
        try FileManager.default.linkItem(
            atPath: folder.path("words/1.0.0/words.txt"), toPath: outside.path("words.txt"))
        let (watched, unwatched) = (try await repository(), try await repository(isWatched: false))
        for repository in [watched, unwatched] { #expect(await repository.refresh(at: later).isEmpty) }
        try outside.overwrite("words.txt", with: "other")
        #expect(await unwatched.refresh(at: later).changed.map(\.description) == ["words 1.0.0"])
        #expect(await watched.refresh(at: later).isEmpty)
        #expect(await watched.refresh(at: later + FolderWatch.scanInterval).changed.count == 1)
        try outside.overwrite("words.txt", with: "others")
        #expect(await watched.refresh(at: later + FolderWatch.scanInterval).isEmpty)
        #expect(try await watched.reload(at: later + FolderWatch.scanInterval).changed.count == 1)
        // A file that is asked for and is not what it was.
        let sha256 = try #require(watched.manifest(of: "words", version: nil)?.files.last?.sha256)
        #expect(watched.location(of: sha256) != nil)
        try outside.overwrite("words.txt", with: "again")
        #expect(await watched.refresh(at: later + FolderWatch.scanInterval).isEmpty)
        #expect(watched.location(of: sha256) == nil)
        #expect(await watched.refresh(at: later + FolderWatch.scanInterval).changed.count == 1)
    }

    @Test func `The reason why a folder is not watched is reported once`() async throws {
        let repository = try await repository()
        #expect(await repository.refresh(at: TemporaryFolder.later).unwatched == nil)
        try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + "-away")
        let reported = await repository.refresh(at: TemporaryFolder.later).unwatched
        #expect(reported?.contains("No such file or directory") == true)
        #expect(await repository.refresh(at: TemporaryFolder.later).unwatched == nil)
        try FileManager.default.moveItem(atPath: folder.path + "-away", toPath: folder.path)
    }

    /// After any changes, the watched repository serves what one that reads the folder anew does.
    @Test func `A watched folder serves the same as one that is read anew`() async throws {
        var generator = SeededGenerator(seed: 18)
        let watched = try await repository()
        var compared = 0
        let names = [
            "words", "theme", "words/1.0.0", "words/2.0.0", "theme/1.0.0", "words/1.0.0/deep", "words/2.0.0/a",
        ]
        for round in 0..<300 {
            for _ in 0..<Int.random(in: 0...3, using: &generator) { change(names, &generator) }
            _ = await watched.refresh(at: TemporaryFolder.before)
            // A version with an error, such as one without files, is served as it was before.
            guard let fresh = try? await repository(isWatched: false) else { continue }
            compared += 1
            #expect(watched.bundles() == fresh.bundles(), "round \(round)")
            for bundle in fresh.bundles() {
                #expect(watched.records(of: bundle) == fresh.records(of: bundle), "round \(round)")
            }
        }
        #expect(compared > 100)
    }

    private func change(_ names: [String], _ generator: inout SeededGenerator) {
        let name = names.randomElement(using: &generator) ?? ""
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1: try? folder.write("\(generator.next())", to: "\(name.hasDigits ? name : name + "/1.0.0")/f.txt")
        case 2: try? folder.overwrite("\(name)/f.txt", with: "\(generator.next())")
        case 3: try? folder.remove(name)
        case 4: try? move(name, to: names.randomElement(using: &generator) ?? "")
        default: try? folder.remove("\(name)/f.txt")
        }
    }
}

extension String {
    fileprivate var hasDigits: Bool { contains(where: \.isNumber) }
}

/// The file systems whose changes are reported.
@Suite struct MountTableTests {
    private static func line(_ point: String, _ type: String, optional: String = "shared:1 ") -> String {
        "36 35 98:0 /root \(point) rw,noatime \(optional)- \(type) /dev/x rw,errors=continue"
    }

    @Test func `The innermost mount decides whether a folder can be watched`() {
        let table = MountTable(
            [
                Self.line("/", "ext4"), Self.line("/srv", "nfs4", optional: ""), Self.line("/srv/content", "xfs"),
                Self.line("/srv/content/theme", "fuse.sshfs", optional: "master:1 propagate_from:2 "),
                Self.line(#"/with\040space"#, "cifs"), Self.line("/twice", "nfs"), Self.line("/twice", "tmpfs"),
                "nonsense", "1 2 3 4 / 6 -",
            ].joined(separator: "\n"))
        for (folder, type) in [
            ("/var/content", nil), ("/srv", "nfs4"), ("/srv/other", "nfs4"), ("/srvs", nil),
            ("/srv/content", "fuse.sshfs"), ("/srv/content/words", nil), ("/srv/content/theme/1.0.0", "fuse.sshfs"),
            ("/with space/content", "cifs"), ("/with", nil), ("/twice/a", nil),
        ] as [(String, String?)] {
            #expect(table.unwatchableType(in: folder) == type, "\(folder)")
        }
        #expect(MountTable("").unwatchableType(in: "/") == "unknown")
        #expect(MountTable(#"1 2 0:1 / \04 rw - nfs x rw"#).unwatchableType(in: #"/\04"#) == "unknown")
    }

    @Test func `The mount table of the system is read`() throws {
        #expect(try #require(MountTable.current()).unwatchableType(in: "/proc/self") == "proc")
    }
}
