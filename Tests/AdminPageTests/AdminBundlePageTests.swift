import Content
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import ServerHTTP

/// Bundles are viewed, and versions uploaded, published and yanked in the pages.
@Suite struct AdminBundlePageTests {
    private static let hard = "/admin/bundles/hard-words"
    private static let arriving = "incoming/form-"

    /// A server with a content folder of its own, and what it has stored.
    private static func run(_ test: @escaping @Sendable (World, PageVisitor, URL) async throws -> Void) async throws {
        let content = FileManager.default.temporaryDirectory.appending(path: "content-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: URL(filePath: Project.folder("content")), to: content)
        defer { try? FileManager.default.removeItem(at: content) }
        let environment = World.pagesOn.merging(["QUARTERMASTER_CONTENT": content.path]) { $1 }
        try await World.run(environment: environment) { world in
            try await test(world, try await world.visitor(.write), content)
        }
    }

    /// The objects of the repository, and what is arriving by the form; variants are made at any time.
    private static func stored(_ content: URL) -> [String] {
        let store = content.appending(path: ".store")
        let paths = FileManager.default.subpaths(atPath: store.path) ?? []
        return paths.filter { path in
            (path.hasPrefix("objects/") && path.split(separator: "/").count == 3) || path.hasPrefix(arriving)
        }
    }

    private static func fields(_ visitor: PageVisitor, _ version: String, bundle: String = "hard-words") -> [UploadPart]
    {
        let csrf = visitor.cookie.map(SessionCookie.formToken) ?? ""
        return [
            UploadPart("csrf", csrf), UploadPart("bundle", bundle), UploadPart("version", version),
            UploadPart("minimumAppVersion", "2.1"), UploadPart("maximumAppVersion", ""), UploadPart("locale", "en"),
            UploadPart("channel", ""), UploadPart("patch", ""), UploadPart("languages", "en, pt-BR"),
            UploadPart("essential", "yes"),
        ]
    }

    private static let files = [
        UploadPart("files", "jazz\tMusic\r\n", file: "words.txt"), UploadPart("files", "", file: "empty"),
        UploadPart("folder", "copy", file: "words/a/copy ü.txt"), UploadPart("folder", "", file: ""),
    ]

    @Test func `Programs in a version are shown before it is published`() async throws {
        try await Self.run { _, alice, _ in
            let programs = [
                UploadPart("files", "jazz", file: "words.txt"), UploadPart("files", "#!/bin/sh\n", file: "start"),
                UploadPart("files", "print(1)", file: "game.lua"),
            ]
            _ = try await alice.upload("/admin/new-version", Self.fields(alice, "1.1.0") + programs)
            for path in ["", "/publish"] {
                let page = try await alice.get("\(Self.hard)/1.1.0\(path)").html
                #expect(page.contains("Programs and scripts"), "\(page)")
                #expect(page.contains("game.lua, start; App Review"), "\(page)")
            }
            let harmless = try await alice.get("\(Self.hard)/1.0.0").html
            #expect(harmless.contains("words.txt") && !harmless.contains("Programs and scripts"), "\(harmless)")
        }
    }

    @Test func `A version is uploaded and published in the pages`() async throws {
        try await Self.run { world, alice, _ in
            let player = try await world.buyer(of: "hardwords")
            let form = try await alice.get("/admin/new-version?bundle=hard-words").html
            #expect(form.contains("enctype=\"multipart/form-data\"") && form.contains("value=\"hard-words\""))
            #expect(form.contains("type=\"file\" multiple webkitdirectory"))
            let names = form.matches(of: #/ name="([^"]*)"/#).map { String($0.output.1) }
            let order = ["csrf", "bundle", "version", "languages", "essential", "files", "folder"]
                .compactMap { names.lastIndex(of: $0) }
            #expect(order.count == 7 && order == order.sorted(), "the token first, the files last")

            let drafted = try await alice.upload("/admin/new-version", Self.fields(alice, "1.1.0") + Self.files)
            #expect(
                drafted.status == 303 && drafted.headers[.location] == "\(Self.hard)/1.1.0?done=uploaded",
                "\(drafted.html)")
            #expect(try await world.newest(for: player) == "1.0.0")
            let page = try await alice.get("\(Self.hard)/1.1.0?done=uploaded").html
            #expect(page.contains("Nobody is offered the version before you publish it."), "\(page)")
            #expect(page.contains("a/copy ü.txt") && page.contains("apps from 2.1") && page.contains(">None</span>"))
            #expect(page.contains("en, for en/pt-BR, essential"), "\(page)")

            let publication = try await alice.get("\(Self.hard)/1.1.0/publish")
            #expect(publication.html.contains("from now on"))
            let published = try await alice.send(formOf: publication)
            #expect(published.headers[.location] == "\(Self.hard)?done=publish", "\(published.html)")
            #expect(
                try await world.download(for: player) == [
                    "words.txt": "jazz\tMusic\r\n", "empty": "", "a/copy ü.txt": "copy",
                ])
            let rows = try await world.ledger.auditRows(after: 0, limit: 1_000).filter { $0.kind.hasPrefix("bundle.") }
            #expect(
                rows.map(\.kind) == ["bundle.drafted", "bundle.published"]
                    && rows.allSatisfy { $0.actor == "admin:alice" })
        }
    }

    /// Pictures and sounds are shown by what they are, texts as text, and nothing that a browser would run.
    @Test func `The files of a version are looked at before it is published`() async throws {
        try await Self.run { world, alice, _ in
            let script = "<script>alert(1)</script>"
            let files = [
                UploadPart("files", "jazz\tMusic", file: "words.txt"), UploadPart("files", "GIF89a", file: "a.html"),
                UploadPart("files", "OggS", file: "tone"), UploadPart("files", script, file: "page.gif"),
                UploadPart("files", "{\"a\":1}", file: "b.json"), UploadPart("files", "a\u{0}b", file: "c.txt"),
                UploadPart("files", "<svg onload='alert(1)'/>", file: "d.svg"), UploadPart("files", "", file: "empty"),
            ]
            _ = try await alice.upload("/admin/new-version", Self.fields(alice, "1.1.0") + files)
            let bob = try await world.visitor(.read, name: "bob")
            let version = try await bob.get("\(Self.hard)/1.1.0").html
            #expect(version.contains("href=\"\(Self.hard)/1.1.0/preview\"") && version.contains("Since 1.0.0"))
            #expect(version.contains("Removed since 1.0.0") && version.contains("pack.json, "), "\(version)")
            let page = try await bob.get("\(Self.hard)/1.1.0/preview")
            func path(_ text: String) -> String { "\(Self.hard)/1.1.0/file?sha256=\(World.sha256(text))" }
            #expect(page.html.contains("<img class=\"preview\" src=\"\(path("GIF89a"))\" alt=\"Picture a.html\""))
            #expect(page.html.contains("<audio controls preload=\"none\" src=\"\(path("OggS"))\""), "\(page.html)")
            #expect(
                page.html.contains("&lt;script&gt;") && page.html.contains("&lt;svg") && !page.html.contains("<svg"))
            #expect(page.html.contains("{\n  &quot;a&quot;: 1\n}") && page.html.contains("There is no preview"))
            #expect(page.html.contains("<ins><span class=\"mark\">+ </span>jazz\tMusic</ins>"), "\(page.html)")
            #expect(page.html.ranges(of: "<img ").count == 1 && page.html.contains(">New</span>"))
            for (text, type) in [
                ("GIF89a", "image/gif"), ("OggS", "audio/ogg"), (script, "application/octet-stream"),
                ("{\"a\":1}", "application/octet-stream"), ("", "application/octet-stream"),
            ] {
                let file = try await bob.get(path(text))
                #expect(file.status == 200 && file.html == text && file.headers[.contentType] == type, "\(file)")
                #expect(file.headers[.contentDisposition] == "attachment")
                #expect(file.headers[.contentSecurityPolicy]?.hasSuffix("; sandbox") == true)
                #expect(file.headers[.xContentTypeOptions] == "nosniff")
            }
            for query in ["", "?sha256=x", "?sha256=\(World.sha256("other"))"] {
                #expect(try await bob.get("\(Self.hard)/1.1.0/file\(query)").status == 404, "\(query)")
            }
            #expect(try await bob.get("\(Self.hard)/1.0.0/file?sha256=\(World.sha256("GIF89a"))").status == 404)
            let nobody = try await world.visitor.get(path("GIF89a"))
            #expect(nobody.status == 303 && nobody.headers[.location]?.hasPrefix("/admin/sign-in") == true)
        }
    }

    /// A file says what it is by its first bytes; what is cut through stays text.
    @Test func `A preview goes by the bytes of a file`() {
        let sounds: [[UInt8]] = [Array("RIFF....WAVEfmt ".utf8), Array("ID3".utf8), Array("....ftypM4A ".utf8)]
        let types = ["audio/wav", "audio/mpeg", "audio/mp4"]
        #expect(sounds.map { FilePreview($0, size: $0.count) } == types.map { .sound(type: $0) })
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]
        #expect(FilePreview(png, size: 9) == .picture(type: "image/png"))
        #expect(FilePreview(Array(png.dropLast(2)), size: 7) == .other)
        #expect(FilePreview(Array("é".utf8.dropLast()), size: 2) == .text("", isWhole: false))
        #expect(FilePreview(Array("é".utf8.dropLast()), size: 1) == .other)
        #expect(FilePreview(Array("a\u{7}".utf8), size: 2) == .other)
    }

    @Test func `Versions are yanked, restored, promoted and discarded in the pages`() async throws {
        try await Self.run { world, alice, _ in
            let player = try await world.buyer(of: "hardwords")
            for act in ["yank", "restore"] {
                #expect(try await alice.get("\(Self.hard)/1.0.0").html.contains("\(Self.hard)/1.0.0/\(act)\""))
                #expect(try await alice.send(formOf: alice.get("\(Self.hard)/1.0.0/\(act)")).status == 303)
                #expect(try await world.newest(for: player) == (act == "yank" ? nil : "1.0.0"))
            }
            var beta = Self.fields(alice, "1.2.0")
            beta[6] = UploadPart("channel", "beta")
            _ = try await alice.upload("/admin/new-version", beta + Self.files)
            _ = try await alice.send(formOf: alice.get("\(Self.hard)/1.2.0/publish"))
            let page = try await alice.get("\(Self.hard)?beta=yes&appVersion=3").html
            #expect(
                page.contains("A beta account with app 3") && page.contains("1.2.0") && page.contains("beta accounts"))
            #expect(
                try await alice.get("\(Self.hard)?beta=yes&appVersion=2.0").html.contains(
                    "<dd><a href=\"\(Self.hard)/1.0.0\">"))
            #expect(try await world.newest(for: player) == "1.0.0")
            #expect(try await alice.send(formOf: alice.get("\(Self.hard)/1.2.0/promote")).status == 303)
            #expect(try await world.newest(for: player) == "1.2.0")
            #expect(try await alice.get("\(Self.hard)/1.2.0/promote").html.contains("in another state by now"))

            _ = try await alice.upload("/admin/new-version", Self.fields(alice, "1.3.0") + Self.files)
            #expect(try await alice.get("/admin/bundles").html.contains("one is a draft"))
            #expect(try await alice.send(formOf: alice.get("\(Self.hard)/1.3.0/discard")).status == 303)
            #expect(try await alice.get("\(Self.hard)/1.3.0").status == 404)
            for path in ["/admin/bundles/nothing", "\(Self.hard)/x", "\(Self.hard)/9.0.0/yank"] {
                #expect(try await alice.get(path).status == 404, "\(path)")
            }
        }
    }

    /// Whatever is wrong with a form, nothing in it is stored or recorded.
    @Test func `A refused form stores nothing`() async throws {
        try await Self.run { world, alice, content in
            let before = Self.stored(content)
            let fields = Self.fields(alice, "1.1.0")
            var twice = fields
            twice[8] = UploadPart("languages", "en, EN")
            func named(_ path: String) -> [UploadPart] { fields + [UploadPart("files", "x", file: path)] }
            let forms: [(parts: [UploadPart], status: Int)] = [
                (Array(fields.dropFirst()) + Self.files, 403),
                ([UploadPart("csrf", "x")] + fields.dropFirst() + Self.files, 403),
                (Self.files + fields, 403), ([fields[0]] + Self.files + fields.dropFirst(), 422),
                (Self.fields(alice, "1.0.0") + Self.files, 409), (Self.fields(alice, "x") + Self.files, 422),
                (Self.fields(alice, "1.1.0", bundle: "../x") + Self.files, 422),
                (Self.fields(alice, "1.1.0", bundle: "") + Self.files, 422), (fields, 422),
                (named("../a"), 422), (named("a/../../b"), 422), (named("/etc/x"), 422), (named("a\\..\\b"), 422),
                (named("a\u{0}b"), 422), (named("a\r\nb"), 422), (named(String(repeating: "x", count: 300)), 422),
                (twice + Self.files, 422), (fields + [UploadPart("locale", "de")] + Self.files, 400),
                (fields + [UploadPart("x", String(repeating: "x", count: 2_000))] + Self.files, 400),
            ]
            for (place, form) in forms.enumerated() {
                let answer = try await alice.upload("/admin/new-version", form.parts)
                #expect(answer.status == form.status, "\(place): \(answer.html)")
                #expect(Self.stored(content) == before, "\(place)")
            }
            let unfinished = try await alice.upload("/admin/new-version", fields + Self.files, end: "")
            #expect(unfinished.status == 400 && unfinished.html.contains("ends before its end"))
            #expect(!Self.stored(content).contains { $0.hasPrefix(Self.arriving) })
            let origin = try await alice.upload("/admin/new-version", fields + Self.files, site: "cross-site")
            #expect(origin.status == 403 && origin.html.contains("not sent from a page of this server"))
            let reader = try await world.visitor(.read, name: "bob")
            #expect(
                try await reader.upload("/admin/new-version", Self.fields(reader, "1.1.0") + Self.files).status == 403)
            #expect(try await world.ledger.auditRows(after: 0, limit: 100).allSatisfy { !$0.kind.hasPrefix("bundle.") })
        }
    }

    @Test func `Two files of one name are refused`() async throws {
        try await Self.run { _, alice, content in
            let pairs = [("a", "a"), ("a", "A"), ("a", "a/b")]
            for (first, second) in pairs {
                let files = [UploadPart("files", "1", file: first), UploadPart("files", "2", file: second)]
                let answer = try await alice.upload("/admin/new-version", Self.fields(alice, "1.1.0") + files)
                #expect([400, 422].contains(answer.status), "\(first) \(second): \(answer.html)")
                #expect(!Self.stored(content).contains { $0.hasPrefix(Self.arriving) })
            }
            #expect(try await alice.get("\(Self.hard)/1.1.0").status == 404)
        }
    }
}

/// A part of a form with files.
struct UploadPart {
    var name: String
    var text: String
    var file: String?

    init(_ name: String, _ text: String, file: String? = nil) {
        self.name = name
        self.text = text
        self.file = file
    }

    /// As browsers write it.
    fileprivate var bytes: String {
        let escaped = file?.replacing("\r", with: "%0D").replacing("\n", with: "%0A").replacing("\"", with: "%22")
        let name = escaped.map { "; filename=\"\($0)\"\r\nContent-Type: text/plain" } ?? ""
        return "--bound\r\nContent-Disposition: form-data; name=\"\(self.name)\"\(name)\r\n\r\n\(text)\r\n"
    }
}

extension PageVisitor {
    func upload(
        _ path: String, _ parts: [UploadPart], site: String? = "same-origin", end: String = "--bound--\r\n"
    ) async throws -> Answer {
        var fields = Self.fields(site, cookie: cookie)
        fields[.contentType] = "multipart/form-data; boundary=bound"
        return try await send(.post, path, ByteBuffer(string: parts.map(\.bytes).joined() + end), fields)
    }
}
