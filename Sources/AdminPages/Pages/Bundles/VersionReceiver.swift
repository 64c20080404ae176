import Basics
import Content
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore
import NIOPosix
import ServerCore
import ServerHTTP

/// Receives the form of a new version: the session's token first, then the version's members, then its files, which are
/// stored as they arrive. Nothing is stored of a form whose token is wrong, or of a file whose path is refused.
struct VersionReceiver {
    private static let maximumValue = 1 << 10
    private static let nameBytes = 16
    private static let emptyHash = String(repeating: "0", count: 64)

    let visit: Visit
    let secret: String
    let uploads: ContentUploads
    let content: any ContentRepository
    let random: RandomBytes

    /// The fields that have arrived, as they were typed.
    var typed: FormBody { FormBody(fields: fields) }

    /// The files that are stored.
    private(set) var files: [Manifest.File] = []
    /// The paths of the files that were chosen, also of those that were refused.
    private(set) var chosen: [String] = []
    /// Whether the session's token has come, and is right.
    private var isOwn = false
    /// Why the form is refused; what comes after it is read, and not stored.
    private var refusal: (any Error)?
    private var fields: [String: String] = [:]
    private var plan: VersionPlan?
    private var part: Part?

    /// The part that is arriving.
    private enum Part {
        case field(String, Data)
        case file(String, UnnamedUpload, written: Int)
        /// A field for files in which none was chosen.
        case nothing
    }

    init(
        visit: Visit, secret: String, uploads: ContentUploads, content: any ContentRepository,
        random: @escaping RandomBytes
    ) {
        self.visit = visit
        self.secret = secret
        self.uploads = uploads
        self.content = content
        self.random = random
    }

    /// Reads the whole form.
    ///
    /// - Returns: the version without its files.
    /// - Throws: ``/ServerHTTP/Problem``, ``/Content/PublishRefusal``, ``/Content/UploadRefusal``
    mutating func receive() async throws -> VersionPlan {
        do {
            var parser = try MultipartParser(contentType: visit.request.headers[.contentType])
            var received = 0
            for try await bytes in visit.request.body {
                received += bytes.readableBytes
                guard received <= VersionUploadPages.maximumBytes else { throw Problem.requestTooLarge }
                for event in try parser.read(bytes) { try await handleOrRefuse(event) }
            }
            if let refusal { throw refusal }
            try parser.finish()
            if let plan { return plan }
            return try await planned()
        } catch {
            if case .file(_, let upload, _)? = part { await Self.close(upload) }
            throw (error as? MultipartError).map { Problem.invalidRequest($0.rawValue) } ?? error
        }
    }

    /// Handles a part of the form. Of a refused one only the names of the files are kept, so that the page can name
    /// what is to be chosen again: browsers forget it, and show no answer before they have sent everything.
    private mutating func handleOrRefuse(_ event: MultipartParser.Event) async throws {
        if refusal != nil {
            if case .part(let head) = event { choose(head) }
            return
        }
        do { try await handle(event) } catch {
            guard isOwn else { throw error }
            if case .file(_, let upload, _)? = part { await Self.close(upload) }
            part = nil
            refusal = error
        }
    }

    /// - Returns: the path of the file in the version; `nil` for a field, and for none.
    @discardableResult private mutating func choose(_ head: MultipartHead) -> String? {
        // Browsers send a field for files in which none was chosen as a file without a name.
        guard let name = head.fileName, !name.isEmpty else { return nil }
        let path = head.name == "folder" ? name.split(separator: "/").dropFirst().joined(separator: "/") : name
        chosen.append(path)
        return path
    }

    private mutating func handle(_ event: MultipartParser.Event) async throws {
        switch (event, part) {
        case (.part(let head), _): try await begin(head)
        case (.bytes(let bytes), .field(let name, let value)?):
            guard value.count + bytes.readableBytes <= Self.maximumValue else {
                throw Problem.invalidRequest("\(name): too long")
            }
            part = .field(name, value + Data(bytes.readableBytesView))
        case (.bytes(let bytes), .file(let path, let upload, let written)?):
            try await Self.blocking { try bytes.withUnsafeReadableBytes { try upload.write($0, at: written) } }
            part = .file(path, upload, written: written + bytes.readableBytes)
        case (.end, .field(let name, let value)?): try end(name, value)
        case (.end, .file(let path, let upload, _)?):
            let (sha256, size) = try await Self.blocking { try upload.finish() }
            part = nil
            await Self.close(upload)
            files.append(Manifest.File(path: path, size: size, sha256: sha256))
        case (.bytes(let bytes), _):
            guard bytes.readableBytes == 0 else { throw Problem.invalidRequest("a file without a name") }
        case (.end, _): part = nil
        }
    }

    private mutating func begin(_ head: MultipartHead) async throws {
        // The token comes first, so that nobody else's form has anything stored.
        guard fields[Form.csrfField] != nil || head == MultipartHead(name: Form.csrfField) else {
            throw Problem.foreignForm
        }
        guard head.fileName != nil else { return part = .field(head.name, Data()) }
        guard let path = choose(head) else { return part = .nothing }
        if plan == nil { plan = try await planned() }
        _ = try plan?.manifest(files: [Manifest.File(path: path, size: 0, sha256: Self.emptyHash)])
        guard !files.contains(where: { $0.path == path }) else {
            throw Problem.invalidRequest("\(path): two files of one name")
        }
        let (uploads, date, unique) = (uploads, visit.date, "form-" + Data(random(Self.nameBytes)).hex)
        part = .file(path, try await Self.blocking { try uploads.open(named: unique, date) }, written: 0)
    }

    private mutating func end(_ name: String, _ value: Data) throws {
        part = nil
        guard let text = String(validating: value, as: UTF8.self)?.trimmed,
            fields.updateValue(text, forKey: name) == nil, plan == nil
        else { throw Problem.invalidRequest("\(name): unreadable, twice, or behind the files") }
        guard name == Form.csrfField else { return }
        guard SessionCookie.isFormToken(text, of: secret) else { throw Problem.foreignForm }
        isOwn = true
    }

    /// The version that the fields describe.
    ///
    /// - Throws: ``/Content/PublishRefusal`` if it exists already.
    private func planned() async throws -> VersionPlan {
        func field(_ name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard fields[Form.csrfField] != nil else { throw Problem.foreignForm }
        let bundle = BundleName(stored: fields["bundle"] ?? "")
        let body = DraftBody(
            version: fields["version"] ?? "", files: [], minimumAppVersion: field("minimumAppVersion"),
            maximumAppVersion: field("maximumAppVersion"), locale: field("locale"),
            essential: field("essential") != nil, languages: field("languages").map(VersionPlan.languages),
            patch: field("patch") != nil, channel: field("channel").flatMap { ReleaseChannel(rawValue: $0) })
        let plan = try body.plan(bundle)
        let known = try await content.records(of: bundle)
        if let record = known.first(where: { $0.manifest.version == plan.version }) {
            throw PublishRefusal.otherVersion(record.state)
        }
        return plan
    }

    private static func close(_ upload: UnnamedUpload) async { try? await blocking { upload.close() } }

    private static func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
