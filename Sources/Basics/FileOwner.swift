package import Foundation

/// The owner and the group of a file or a folder, for what is made in its place or in it.
package struct FileOwner: Hashable, Sendable {
    package let user: uid_t
    package let group: gid_t

    package init(user: uid_t, group: gid_t) {
        self.user = user
        self.group = group
    }

    /// - Returns: `nil` if there is nothing of this name, or it cannot be looked at.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(user: status.st_uid, group: status.st_gid)
    }

    /// Gives an open file to this owner, if it is another's.
    ///
    /// - Returns: `false` if the system refuses; `errno` says why.
    package func takeOver(_ descriptor: CInt) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return (status.st_uid, status.st_gid) == (user, group) || fchown(descriptor, user, group) == 0
    }

    /// Gives what root has just created in a folder to the folder's owner: what a command makes beside a server is then
    /// the server's, whoever ran the command. It stays root's where the system refuses, as on some network disks; other
    /// users keep what they create.
    ///
    /// - Parameter descriptor: of the file or folder, so that no other one can take its name meanwhile.
    package static func inherit(_ descriptor: CInt, in folder: String) {
        if geteuid() == 0 { _ = FileOwner(of: folder)?.takeOver(descriptor) }
    }

    /// Does the same with a file of this name.
    package static func inherit(fileAt path: String) {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        inherit(file, in: URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false))
    }
}
