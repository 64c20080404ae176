import Foundation
import SystemPackage

/// A user of this machine, as the permissions of files know it.
package struct LocalUser: Hashable, Sendable {
    /// The number of root, whom no permission stops.
    private static let root: UInt32 = 0

    package var id: UInt32
    package var groups: Set<UInt32>

    package init(id: UInt32, groups: Set<UInt32>) {
        self.id = id
        self.groups = groups
    }

    /// The user that this process runs as.
    package static var current: LocalUser {
        var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        let count = getgroups(CInt(clamping: groups.count), &groups)
        return LocalUser(id: geteuid(), groups: Set(groups.prefix(max(0, Int(count)))).union([getegid()]))
    }

    /// Makes a process of root's run as the owner of a file, for good: what it reads from then on is what that user may
    /// read, and what it creates is that user's. A system that does not allow it leaves the process root's.
    package static func becomeOwner(of path: String) {
        guard current.id == root, let status = try? FilePath(path).stat(), status.userID.rawValue != root else {
            return
        }
        let account = getpwuid(status.userID.rawValue)?.pointee
        let group = account?.pw_gid ?? status.groupID.rawValue
        guard (account.map { initgroups($0.pw_name, group) } ?? setgroups(0, nil)) == 0, setgid(group) == 0 else {
            return
        }
        _ = setuid(status.userID.rawValue)
    }

    /// Explains why the user cannot use a file, as far as owners and permissions say: names the folder or the file, its
    /// owner and the user. `nil` if they allow it.
    ///
    /// - Parameters:
    ///   - writing: whether the file is written, and others beside it, as a database does.
    ///   - orMissing: whether a file or folder that is missing is a reason, too.
    package func hindrance(at path: String, writing: Bool = false, orMissing: Bool = true) -> String? {
        let file = FilePath(LedgerOpener.whole(path)).lexicallyNormalized()
        let folders = Array(sequence(first: file.removingLastComponent()) { $0.parent }.reversed())
        for (number, folder) in folders.enumerated() {
            guard let status = try? folder.stat() else { return orMissing ? "there is no folder \(folder)" : nil }
            let isLast = number == folders.count - 1
            if let words = hindrance(at: folder, status, isLast && writing ? 0o3 : 0o1) {
                return "the folder \(words)"
            }
        }
        guard let status = try? file.stat() else { return orMissing && !writing ? "there is no such file" : nil }
        return hindrance(at: file, status, writing ? 0o6 : 0o4).map { "the file \($0)" }
    }

    /// - Parameter needed: the permissions, as for others.
    private func hindrance(at place: FilePath, _ status: Stat, _ needed: CInterop.Mode) -> String? {
        let shift: CInterop.Mode =
            status.userID.rawValue == id ? 6 : groups.contains(status.groupID.rawValue) ? 3 : 0
        let mode = status.permissions.rawValue & 0o777
        guard id != Self.root, (mode >> shift) & needed != needed else { return nil }
        let owner = Self.name(of: status.userID.rawValue)
        return "\(place) belongs to \(owner) (mode 0\(String(mode, radix: 8))), and this command runs as \(name)"
    }

    /// The name, or the number of a user without one.
    package var name: String { Self.name(of: id) }

    private static func name(of id: UInt32) -> String {
        getpwuid(id).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "user \(id)"
    }
}

extension FilePath {
    /// The folder that it is in; `nil` for `/`.
    fileprivate var parent: FilePath? {
        let folder = removingLastComponent()
        return folder == self ? nil : folder
    }
}
