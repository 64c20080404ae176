import Content
import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix
import ServerCore
import ServerHTTP

/// The files of a version, to look at and to listen to before players do. Nothing in them is run: texts are escaped,
/// vector graphics and pages are shown as their source, and a file by itself is saved, not opened.
struct VersionPreviewPages: Sendable {
    /// The files of a page.
    private static let rows = 15
    /// The lines that are shown at once.
    private static let unfoldedLines = 8
    /// Larger files are not sent to a browser; the command line has them in the content folder.
    static let maximumFile = 32 << 20
    /// The lines of a change that a page shows of each kind.
    private static let maximumLines = 50

    let desk: BundleServices

    func add(to pages: PageRouter) {
        pages.page("/admin/bundles/{name}/{version}/preview", .bundles) { .page(try await content($0)) }
        pages.page("/admin/bundles/{name}/{version}/file", .bundles) { .file(try await file($0)) }
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let record = try await desk.record(visit)
        let (manifest, path) = (record.manifest, BundleServices.path(record))
        let changes = VersionChanges(of: manifest, since: try await desk.version(before: record, visit)?.manifest)
        let from = try visit.request.number("from", in: 0...Int.max) ?? 0
        let shown = manifest.files.dropFirst(from).prefix(Self.rows)
        var blocks: [Block] = []
        for file in shown { blocks.append(try await block(file, changes, path)) }
        let end = from + shown.count
        let links = [
            from == 0 ? nil : Link("The first files", "\(path)/preview"),
            end < manifest.files.count ? Link("Further files", "\(path)/preview?from=\(end)") : nil,
            Link("Back to the version", path),
        ]
        return PageContent(
            "Files of \(manifest.bundle) \(manifest.version)",
            [
                Block(
                    text: "Pictures and sounds are shown as players get them, texts and vector graphics as their text.",
                    facts: [
                        Fact("Files", Cell("\(manifest.files.count)", note: "all together \(manifest.bytes.sizeText)"))
                    ]), changes.removed,
            ].compactMap { $0 } + blocks + [Block(links: links.compactMap { $0 })])
    }

    private func block(_ file: Manifest.File, _ changes: VersionChanges, _ path: String) async throws -> Block {
        let place = "\(path)/file?sha256=\(file.sha256)"
        var block = Block("\(file.path), \(file.size.sizeText)", facts: [Fact(changes.title, changes.cell(file))])
        guard let preview = try await preview(of: file) else {
            block.text = "It is not on this machine, or not uploaded yet."
            return block
        }
        switch preview {
        case .picture where file.size <= Self.maximumFile: block.picture = Media(place, text: "Picture \(file.path)")
        case .sound where file.size <= Self.maximumFile: block.sound = Media(place, text: "Sound \(file.path)")
        case .text(let text, let isWhole):
            if let old = changes.old(file), case .text(let before, true)? = try await self.preview(of: old), isWhole {
                let lines = Self.changes(from: before, to: text)
                block.difference = Items(lines)
                block.fold = lines.count > Self.unfoldedLines ? "Show what changed" : nil
            } else {
                block.listing = text
                let title = isWhole ? "Show the text" : "Show the first \(FilePreview.maximumText.sizeText)"
                block.fold = text.count(where: \.isNewline) > Self.unfoldedLines || !isWhole ? title : nil
            }
        default: block.text = "There is no preview for a file of this kind or size."
        }
        if file.size <= Self.maximumFile { block.links = Items([Link("Save \(file.path)", place)]) }
        return block
    }

    /// The preview of a file; `nil` if it is not there.
    private func preview(of file: Manifest.File) async throws -> FilePreview? {
        guard let open = try await desk.open(file) else { return nil }
        return try await NIOThreadPool.singleton.runIfActive {
            open.read(upTo: FilePreview.maximumText).map { FilePreview($0, size: file.size) }
        }
    }

    /// The lines that are gone and those that are new, the first of each.
    private static func changes(from old: String, to new: String) -> [DifferenceLine] {
        let lines = [old, new].map { $0.split(whereSeparator: \.isNewline).map(String.init) }
        let changes = lines[1].difference(from: lines[0])
        func first(_ changes: [CollectionDifference<String>.Change], _ words: (String) -> DifferenceLine)
            -> [DifferenceLine]
        {
            let shown = changes.prefix(maximumLines).map { change -> DifferenceLine in
                switch change {
                case .remove(_, let line, _), .insert(_, let line, _): words(line)
                }
            }
            let rest = changes.count - shown.count
            return shown + (rest > 0 ? [words("and \(rest) more lines")] : [])
        }
        return first(changes.removals, DifferenceLine.removed) + first(changes.insertions, DifferenceLine.added)
    }

    /// A file by itself: as the type that its first bytes say, if that is a picture or a sound.
    private func file(_ visit: Visit) async throws -> Response {
        let manifest = try await desk.record(visit).manifest
        guard let file = manifest.files.first(where: { $0.sha256 == visit.query("sha256") }),
            file.size <= Self.maximumFile, let open = try await desk.open(file)
        else { throw Problem.notFound }
        let head = try await NIOThreadPool.singleton.runIfActive { open.read(upTo: FilePreview.headBytes) }
        var headers = PageHeaders.all(head.flatMap(FilePreview.type(of:)) ?? "application/octet-stream")
        headers[.contentDisposition] = "attachment"
        headers[.contentSecurityPolicy]? += "; sandbox"
        guard file.size > 0 else { return Response(status: .ok, headers: headers) }
        visit.context.notes.isStreamed = true
        let body = ResponseBody(of: open, first: 0, last: file.size - 1, on: visit.context.channel)
        return Response(status: .ok, headers: headers, body: body)
    }
}
