import Content
import Foundation
import InAppPurchase
import Ledger
import NIOCore
import ServerHTTP
import StrictJSON
import Synchronization

/// A signed manifest with the JSON of its answer as far as it is the same for every account: all but the links' grants,
/// their expiry, the delivery, and the statement that it is the newest version.
final class ReadyManifest: Sendable {
    /// The files with the grants of one second, which are the same for every account.
    private struct GrantedFiles: Sendable {
        /// The grant of the first link, which stands for all: they have the same key and expiry.
        let grant: String
        let text: ByteBuffer
    }

    let signed: SignedManifest
    /// A line for each variant of each file, over which the entity tag is made.
    let variantLines: [UInt8]
    private let files: [UInt8]
    /// The gaps in ``files``.
    private let gaps: [FileListText.Gap]
    /// The members after `fresh`.
    private let end: [UInt8]
    private let granted = Mutex<GrantedFiles?>(nil)

    /// - Parameter variants: the variants of the manifest's files, by the SHA-256 of the file.
    init(_ signed: SignedManifest, _ variants: [String: [ContentVariant]]) {
        var (text, lines) = (FileListText(), [UInt8]())
        for file in signed.manifest.files {
            let variants = variants[file.sha256] ?? []
            text.append(file, variants)
            for variant in variants {
                let line = [file.sha256, variant.encoding.rawValue, variant.from ?? "", variant.sha256]
                lines += (line.joined(separator: " ") + "\n").utf8
            }
        }
        self.signed = signed
        variantLines = lines
        files = text.bytes
        gaps = text.gaps
        end = Self.end(of: signed)
    }

    /// The maximum size of what is held in memory.
    var byteCount: Int {
        let links = gaps.count * (GrantSigner.maximumCharacters + MemoryLayout<FileListText.Gap>.stride)
        return signed.jws.utf8.count + variantLines.count + 2 * files.count + links + end.count
    }

    /// The manifest as the ledger records it.
    ///
    /// - Parameter expires: the links' expiry.
    func issued(_ lifetime: LinkLifetime, expires: Date, at date: Date) -> IssuedManifest {
        let seconds = lifetime.seconds.map { min($0, Int(clamping: expires.timeIntervalSince(date).rounded(.up))) }
        return IssuedManifest(
            bundle: signed.manifest.bundle, version: signed.manifest.version.description, sha256: signed.sha256,
            linkLifetime: seconds)
    }

    /// The body of the response, in one or several parts: a long list of files is not copied for each. The order of the
    /// members is that of canonical JSON.
    ///
    /// - Parameters:
    ///   - delivery: the ID with which the client confirms that it has the files; omitted if it is `nil`.
    ///   - expires: the links' expiry.
    ///   - fresh: the signed statement that it is the newest version for the client; omitted if it is `nil`.
    func body(delivery: String?, expires: Date, fresh: String?, grants: GrantSigner, at date: Date) -> [ByteBuffer] {
        let files = files(expires: expires, grants, at: date)
        let isJoined = files.readableBytes <= UnsentBudget.uncountedBytes
        var split = 0
        var json = JSONWriter(
            capacity: (isJoined ? files.readableBytes : 0) + end.count + (fresh?.utf8.count ?? 0) + 256)
        json.object { json in
            json.member("bundle", signed.manifest.bundle.text)
            json.member("delivery", delivery)
            json.member("expires", TimeFormat.wholeSeconds.text(of: expires))
            json.name("files")
            if isJoined { json.append(json: files.readableBytesView) } else { split = json.bytes.count }
            json.member("fresh", fresh)
            json.members(json: end)
        }
        let (before, after) = (json.bytes.prefix(split), json.bytes.dropFirst(split))
        return isJoined ? [ByteBuffer(bytes: after)] : [ByteBuffer(bytes: before), files, ByteBuffer(bytes: after)]
    }

    private func files(expires: Date, _ grants: GrantSigner, at date: Date) -> ByteBuffer {
        guard let first = gaps.first else { return ByteBuffer(bytes: files) }
        let grant = grants.grant(for: first.sha256, expires: expires, at: date)
        if let known = granted.withLock({ $0 }), known.grant == grant { return known.text }
        var (text, start) = (ByteBuffer(), 0)
        text.reserveCapacity(files.count + gaps.count * GrantSigner.maximumCharacters)
        for gap in gaps {
            text.writeBytes(files[start..<gap.offset])
            text.writeString(grants.grant(for: gap.sha256, expires: expires, at: date))
            start = gap.offset
        }
        text.writeBytes(files[start...])
        granted.withLock { [text] in $0 = GrantedFiles(grant: grant, text: text) }
        return text
    }

    private static func end(of signed: SignedManifest) -> [UInt8] {
        let manifest = signed.manifest
        var json = JSONWriter(capacity: signed.jws.utf8.count + 256)
        json.object { json in
            json.member("locale", manifest.locale)
            json.member("maximumAppVersion", manifest.maximumAppVersion?.description)
            json.member("minimumAppVersion", manifest.minimumAppVersion?.description)
            json.name("previousVersions")
            json.array { json in
                for version in manifest.previousVersions {
                    json.element()
                    json.append(version.description)
                }
            }
            json.member("signed", signed.jws)
            json.member("version", manifest.version.description)
        }
        return Array(json.bytes.dropFirst().dropLast())
    }
}
