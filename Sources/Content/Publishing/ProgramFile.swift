import Foundation
import InAppPurchase
import SystemPackage

/// Recognizes programs and scripts, which an app must not download to change what it does (App Review Guidelines,
/// 2.5.2).
enum ProgramFile {
    /// The maximum number of paths that are reported.
    static let maximumPaths = 100
    /// The number of bytes from the beginning of a file that are looked at.
    private static let headBytes = 64

    /// The last part of the name of scripts, of what is made of them, and of programs and libraries.
    private static let suffixes: Set<String> = [
        "apk", "applescript", "bash", "bat", "class", "cjs", "cmd", "command", "dex", "dll", "dylib", "exe", "ipa",
        "jar", "js", "jsbundle", "lua", "luac", "mjs", "php", "ps1", "py", "pyc", "rb", "scpt", "sh", "so", "swift",
        "vbs", "wasm", "zsh",
    ]

    /// The first bytes of programs, libraries, byte code and scripts.
    private static let heads: [[UInt8]] = [
        Array("\u{7F}ELF".utf8), Array("#!/".utf8), Array("#! /".utf8), Array("\u{0}asm".utf8), Array("dex\n".utf8),
        Array("\u{1B}Lua".utf8),
        // Mach-O, of both byte orders and word lengths, and for several processors; the latter is also Java's.
        [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE], [0xCF, 0xFA, 0xED, 0xFE],
        [0xCA, 0xFE, 0xBA, 0xBE],
        // LLVM's bit code.
        [0x42, 0x43, 0xC0, 0xDE],
    ]

    /// The paths of the files that are programs or scripts, the first ``maximumPaths``.
    ///
    /// Blocks for as long as the disk takes.
    ///
    /// - Parameter location: the place of a file; `nil` if only its name is known.
    static func paths(among files: [Manifest.File], at location: (Manifest.File) -> FilePath?) -> [String] {
        var paths: [String] = []
        for file in files where paths.count < maximumPaths {
            if isProgram(named: file.path) || location(file).map({ isProgram(beginningWith: head(of: $0)) }) ?? false {
                paths.append(file.path)
            }
        }
        return paths
    }

    private static func isProgram(named path: String) -> Bool {
        let parts = (path.split(separator: "/").last ?? "").split(separator: ".")
        return parts.count > 1 && parts.last.map { suffixes.contains($0.lowercased()) } ?? false
    }

    private static func isProgram(beginningWith head: [UInt8]) -> Bool {
        // Programs of Windows begin with two letters, as a text may; a text has no zero byte.
        heads.contains { head.starts(with: $0) } || (head.starts(with: Array("MZ".utf8)) && head.contains(0))
    }

    /// The first bytes of a file; empty if it cannot be read.
    private static func head(of path: FilePath) -> [UInt8] {
        let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking, .closeOnExec]
        guard let file = try? FileDescriptor.open(path, .readOnly, options: options) else { return [] }
        let head = try? file.closeAfter {
            try [UInt8](unsafeUninitializedCapacity: headBytes) { buffer, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
        return head ?? []
    }
}
