import Basics
package import Foundation
import SystemPackage

/// Resumable uploads of files into the content repository; what arrived survives a lost connection and a restart. All
/// methods block.
package struct ContentUploads: Sendable {
    /// How many uploads may be incomplete at a time; a client sends a handful at once.
    package static let maximumPartials = 64
    /// The age at which an incomplete upload may be removed if there are too many: a day without a write.
    package static let partialAge: TimeInterval = ContentCollector.usualGrace

    private static let suffix = ".part"
    private let store: RepositoryFolder

    /// - Parameter content: the path of the content folder.
    package init(content: String) { store = RepositoryFolder(content: FilePath(content)) }

    /// The number of bytes that have arrived; the size if the file is complete.
    ///
    /// - Parameter sha256: of a file that a version or a draft names.
    package func offset(of sha256: String, size: Int) -> Int {
        isWhole(sha256, size: size) ? size : min(FileStamp(ofFileAt: partial(sha256))?.size ?? 0, size)
    }

    /// Whether the content repository has the complete file.
    package func isWhole(_ sha256: String, size: Int) -> Bool { ObjectFolder(store: store).has(sha256, size: size) }

    /// The path of the complete file, also of a draft; `nil` if the content repository does not have it.
    package func path(of sha256: String, size: Int) -> String? {
        isWhole(sha256, size: size) ? store.object(sha256).string : nil
    }

    /// Begins or resumes an upload. The caller closes it.
    ///
    /// - Parameters:
    ///   - offset: how many bytes the client expects to be there; `nil` starts over.
    ///   - date: now.
    /// - Throws: ``UploadRefusal``
    package func open(_ sha256: String, size: Int, at offset: Int?, _ date: Date) throws(UploadRefusal) -> ContentUpload
    {
        guard sha256.isSHA256 else { throw .notWritable("no hash") }
        let path = partial(sha256)
        if FileStamp(ofFileAt: path) == nil { try makeRoom(at: date) }
        do {
            let file = try FileDescriptor.open(
                path, .readWrite, options: [.create, .noFollow, .closeOnExec], permissions: .ownerReadWrite)
            let upload = ContentUpload(file: file, path: path, sha256: sha256, size: size, store: store)
            do {
                try upload.claim(at: offset)
            } catch {
                upload.close()
                throw error
            }
            return upload
        } catch let refusal as UploadRefusal {
            throw refusal
        } catch {
            throw .notWritable("\(error)")
        }
    }

    /// Begins the upload of a file whose hash is not known yet; it cannot be resumed. The caller closes it.
    ///
    /// - Parameters:
    ///   - name: of letters and digits, and unique.
    ///   - date: now.
    /// - Throws: ``UploadRefusal``
    package func open(named name: String, _ date: Date) throws(UploadRefusal) -> UnnamedUpload {
        do {
            try store.prepare()
            try makeRoom(at: date)
            let path = store.incoming.appending(name + Self.suffix)
            let file = try FileDescriptor.open(
                path, .readWrite, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite)
            let upload = UnnamedUpload(file: file, path: path, store: store)
            // Nobody makes room by removing it meanwhile.
            guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
                upload.close()
                throw UploadRefusal.busy
            }
            return upload
        } catch let refusal as UploadRefusal {
            throw refusal
        } catch {
            throw .notWritable("\(error)")
        }
    }

    private func partial(_ sha256: String) -> FilePath { store.incoming.appending(sha256 + Self.suffix) }

    private func makeRoom(at date: Date) throws(UploadRefusal) {
        do {
            let partials = { try FolderListing(of: store.incoming).entries.filter { $0.name.hasSuffix(Self.suffix) } }
            guard try partials().count >= Self.maximumPartials else { return }
            for entry in try partials() where FileStamp(entry.status).isWritten(before: date - Self.partialAge) {
                try? entry.path.removeUnlessLocked()
            }
            guard try partials().count < Self.maximumPartials else { throw UploadRefusal.tooMany }
        } catch let refusal as UploadRefusal {
            throw refusal
        } catch {
            throw .notWritable("\(error)")
        }
    }
}

/// The reason why uploaded bytes are refused.
package enum UploadRefusal: Error, Hashable, Sendable {
    /// The upload has this many bytes, not those that the client expects.
    case offset(Int)
    /// More bytes than the file has.
    case tooLong
    /// All bytes are there, but have another hash; they were removed.
    case wrongHash
    /// Another client is sending the same file.
    case busy
    /// Too many uploads are incomplete.
    case tooMany
    /// The disk cannot be written to.
    case notWritable(String)
}
