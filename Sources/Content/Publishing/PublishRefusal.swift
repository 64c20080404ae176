package import InAppPurchase
import ObjectStore
import SystemPackage

/// The reason why a version is not published or not withdrawn. Nothing has changed then.
package enum PublishRefusal: Error, Hashable, Sendable {
    /// The bundle's name is invalid.
    case bundleName(ContentError.Reason)
    /// The first problem of the folder or the manifest.
    case content(ContentError)
    /// A member of the manifest other than its files is invalid.
    case member(String)
    /// An equal or newer version exists, and `isPatch` was not set.
    case notNewer(than: SemanticVersion)
    /// A patch must be the highest version with its first two numbers, and another one with them must exist.
    case noPatch
    /// The version exists with other files or other members.
    case otherVersion(PublicationState)
    /// There is no such version.
    case unknownVersion
    /// The version's state does not allow the act.
    case state(PublicationState)
    /// The hashes of files that were not uploaded yet.
    case missing([String])
    /// Another publisher or the garbage collection held the lock for too long, or was faster.
    case busy
    /// The disk or the object store cannot be written to.
    case notWritable(String)
    /// The owner of the content folder, whom servers run as, cannot read this file or folder in it.
    case unreadable(path: String, content: String)
}

extension PublishRefusal: CustomStringConvertible {
    /// One line.
    package var description: String {
        switch self {
        case .bundleName(let reason): "the bundle's name: \(reason)"
        case .content(let problem): problem.description
        case .member(let detail): detail
        case .notNewer(let other): "\(other) already exists, and a new version must be higher; or mark it as a patch"
        case .noPatch: "a patch must be higher than every version with its first two numbers, and one must exist"
        case .otherVersion(.draft): "a draft of this version has other files or members; discard it first"
        case .otherVersion: "this version exists with other files or members and cannot be changed; use another number"
        case .unknownVersion: "there is no such version"
        case .state(.draft): "the version is a draft"
        case .state(.published): "the version is published"
        case .state(.yanked): "the version is yanked; it can be restored"
        case .missing(let hashes): "\(hashes.count) files are missing"
        case .busy: "another publisher or garbage collection is running"
        case .notWritable(let detail): "the content repository cannot be written: \(detail)"
        case .unreadable(let path, let content):
            """
            not published: \(path) cannot be read by the owner of \(content), whom the server should run as; as root, \
            run chown -R --reference=\(content) \(content)/\(RepositoryFolder.name)
            """
        }
    }

    /// Converts errors of the disk, the object store and others to a refusal; returns other errors as they are.
    static func from(_ error: any Error) -> any Error {
        switch error {
        case let problem as ContentError: PublishRefusal.content(problem)
        case let error as Errno: PublishRefusal.notWritable("\(error)")
        case FolderLock.Unavailable.busy, ObjectStoreError.preconditionFailed: PublishRefusal.busy
        case let error as ObjectStoreError: PublishRefusal.notWritable("\(error)")
        case FolderLock.Unavailable.unusable(let error): PublishRefusal.notWritable("\(error)")
        default: error
        }
    }
}
