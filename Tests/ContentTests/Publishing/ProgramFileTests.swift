import Foundation
import InAppPurchase
import SystemPackage
import Testing

@testable import Content

/// Programs and scripts are recognized, and what games download is not taken for any.
@Suite struct ProgramFileTests {
    static let programs: [(path: String, head: [UInt8])] = [
        ("run.sh", []), ("A/HOOK.PY", []), ("lib/libgame.so", []), ("game.dylib", []), ("x.JS", []), ("App.swift", []),
        ("level.lua", []), ("tool", Array("\u{7F}ELF\u{2}\u{1}".utf8)), ("tool", [0xCF, 0xFA, 0xED, 0xFE]),
        ("tool", [0xCA, 0xFE, 0xBA, 0xBE, 0]), ("tool", Array("#!/usr/bin/env python3\n".utf8)),
        ("tool", Array("#! /bin/sh".utf8)), ("words.txt", [0x4D, 0x5A, 0x90, 0x00, 0x03]),
        ("m", Array("\u{0}asm".utf8)), ("m", Array("\u{1B}Lua".utf8)),
    ]

    static let others: [(path: String, head: [UInt8])] = [
        ("words.txt", Array("jazz\tMusic".utf8)), ("words.txt", Array("MZ is short for Mozambique\n".utf8)),
        ("theme.json", Array("{}".utf8)), ("so", []), ("js/level.json", []), ("notes.md", Array("# Heading\n".utf8)),
        ("tips", Array("#!".utf8)), ("video.ts", [0x47]), ("icon.png", [0x89, 0x50]), ("empty", []), (".sh.txt", []),
        ("icon.svg", Array("<svg/>".utf8)), ("bell.wav", Array("RIFF".utf8)),
    ]

    private func paths(_ files: [(path: String, head: [UInt8])]) throws -> [[String]] {
        let folder = try TemporaryFolder()
        return try files.enumerated().map { number, file in
            try Data(file.head).write(to: folder.url.appending(path: "\(number)"))
            let entry = Manifest.File(path: file.path, size: file.head.count, sha256: "")
            return ProgramFile.paths(among: [entry]) { _ in FilePath(folder.path("\(number)")) }
        }
    }

    @Test func `Programs and scripts are recognized by their names and by their first bytes`() throws {
        #expect(try paths(Self.programs) == Self.programs.map { [$0.path] })
    }

    @Test func `Other files are not taken for programs`() throws {
        #expect(try paths(Self.others) == Self.others.map { _ in [] })
    }

    /// As uploads that have not arrived, and files of a bucket.
    @Test func `Without its bytes a file is judged by its name`() {
        let files = ["a.sh", "tool"].map { Manifest.File(path: $0, size: 1, sha256: "") }
        #expect(ProgramFile.paths(among: files) { _ in nil } == ["a.sh"])
        #expect(ProgramFile.paths(among: files) { _ in "/no/such" } == ["a.sh"])
        let many = (0..<500).map { Manifest.File(path: "\($0).sh", size: 1, sha256: "") }
        #expect(ProgramFile.paths(among: many) { _ in nil }.count == ProgramFile.maximumPaths)
    }
}
