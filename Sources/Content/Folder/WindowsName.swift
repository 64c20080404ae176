/// Names that Windows does not accept as the name of a file.
///
/// Players' devices do not run it, but those who publish do, and tools that unpack downloads.
enum WindowsName {
    /// Microsoft, "Naming Files, Paths, and Namespaces": reserved in any case, also with an extension.
    private static let devices: Set<String> = {
        let numbers = (0...9).map(String.init) + ["\u{B9}", "\u{B2}", "\u{B3}"]
        return Set(["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"] + numbers.flatMap { ["COM\($0)", "LPT\($0)"] })
    }()

    /// The reason why a file or folder of this name is not published; `nil` if it may be.
    static func refusal(of name: String) -> ContentError.Reason? {
        let bytes = Array(name.utf8.prefix(2))
        if bytes.count == 2, bytes[1] == UInt8(ascii: ":"), Character(Unicode.Scalar(bytes[0])).isLetter {
            return .driveLetter
        }
        // Spaces before the extension, or at the end, are ignored.
        let stem = name.prefix { $0 != "." && $0 != ":" }.reversed().drop { $0 == " " }.reversed()
        return devices.contains(String(stem).uppercased()) ? .deviceName : nil
    }
}
