import Foundation
import SystemPackage

/// The file systems that the process sees, as `/proc/self/mountinfo` lists them (proc_pid_mountinfo(5)).
struct MountTable: Sendable {
    private struct Mount: Sendable {
        let point: String
        let type: String
    }

    /// The types of file systems that only this machine's kernel changes, so that it can report each change: not those
    /// of file servers, nor of programs that are file systems.
    private static let watchable: Set<String> = [
        "bcachefs", "btrfs", "erofs", "exfat", "ext2", "ext3", "ext4", "f2fs", "iso9660", "jfs", "nilfs2", "ntfs3",
        "overlay", "ramfs", "reiserfs", "squashfs", "tmpfs", "vfat", "xfs", "zfs",
    ]
    /// The maximum size of the list in bytes: enough for a machine with thousands of containers.
    private static let maximumBytes = 4 << 20

    private let mounts: [Mount]

    /// - Parameter text: the list; lines that are no mounts are skipped.
    init(_ text: String) {
        mounts = text.split(separator: "\n").compactMap { line in
            // The fields up to the hyphen are of varying number.
            let fields = line.split(separator: " ")
            guard fields.count > 4, let hyphen = fields.dropFirst(5).firstIndex(of: "-"), hyphen + 1 < fields.count
            else { return nil }
            return Mount(point: Self.unescaped(fields[4]), type: String(fields[hyphen + 1]))
        }
    }

    /// The list as it is now; `nil` if the system has none.
    static func current() -> MountTable? {
        guard let file = try? FileDescriptor.open("/proc/self/mountinfo", .readOnly, options: .closeOnExec) else {
            return nil
        }
        return try? file.closeAfter {
            var (text, piece) = (Data(), [UInt8](repeating: 0, count: 64 << 10))
            while text.count < maximumBytes {
                let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
                if count == 0 { break }
                text += piece.prefix(count)
            }
            return MountTable(String(decoding: text, as: UTF8.self))
        }
    }

    /// The type of a file system, at or below the folder, whose changes the kernel may not report; `nil` if there is
    /// none.
    ///
    /// - Parameter folder: an absolute path without symbolic links.
    func unwatchableType(in folder: String) -> String? {
        // Of several at one point the last one covers the others.
        let above = mounts.filter { folder.isAtOrBelow($0.point) }
        let longest = above.map(\.point.utf8.count).max()
        let type = above.last { $0.point.utf8.count == longest }?.type
        guard let type else { return "unknown" }
        let types = [type] + mounts.filter { $0.point != folder && $0.point.isAtOrBelow(folder) }.map(\.type)
        return types.first { !Self.watchable.contains($0) }
    }

    /// White space and backslashes are written as `\` and three octal digits.
    private static func unescaped(_ field: Substring) -> String {
        var (bytes, rest) = ([UInt8](), Array(field.utf8)[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.count >= 3,
                let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    fileprivate func isAtOrBelow(_ folder: String) -> Bool {
        folder == "/" ? hasPrefix("/") : self == folder || hasPrefix(folder + "/")
    }
}
