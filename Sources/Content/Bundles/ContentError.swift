import InAppPurchase

/// The reason why something in the content folder is not published.
package struct ContentError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case missing
        case notAFolder
        case notAFile
        /// A symbolic link, which could lead out of the folder and publish what nobody meant to.
        case symbolicLink
        /// The name begins with a dot: a file of an editor or a file browser, never meant for players.
        case hidden
        case nameNotUTF8
        case controlCharacterInName
        /// Characters that change the direction of text make a name read as another one.
        case bidirectionalControlInName
        /// Windows takes a backslash for a path separator.
        case backslashInName
        /// `C:` and the like: on Windows, such a name refers to another drive.
        case driveLetter
        /// `CON`, `NUL.txt` and the like: on Windows, a device instead of a file.
        case deviceName
        /// Windows leaves it out: the name is another one there.
        case dotOrSpaceAtEndOfName
        /// Windows has no such name; behind a colon it looks for a stream.
        case reservedCharacterInName(String)
        /// Programs that decode a path once too often take what follows for an encoded byte.
        case percentSignInName
        /// Two names that look the same, such as with a soft hyphen in one of them.
        case invisibleCharacterInName
        case notASemanticVersion
        /// The two names differ only by case or Unicode normalization, which players' devices do not distinguish.
        case sameNameAs(String)
        /// Two versions that differ only in build metadata: neither is newer.
        case sameVersionAs(String)
        case emptyVersion
        case tooManyEntries(limit: Int)
        case tooDeep(limit: Int)
        case tooLarge(limit: Int)
        /// The file was written to while it was read.
        case changing
        /// The bytes changed while size, time and inode did not: a failing disk, or a tool that resets times.
        case otherBytes
        /// The content repository has the same version with other files.
        case otherFiles
        /// The file of a published version is not what it was when it was hashed.
        case changedSincePublished
        /// The file of a published version is gone.
        case removedSincePublished
        /// The file was not there when its version was published.
        case addedSincePublished
        /// A version's record names the object, and it is not there.
        case missingObject
        /// A path component that is empty.
        case emptyName
        /// A path or a component of one exceeds the limit, which is in bytes of UTF-8.
        case longName(limit: Int)
        /// The manifest gives one file two sizes, or a size that no file can have.
        case wrongSize
        case notASHA256
        /// The system's error message.
        case unreadable(String)

        /// Whether the version is served all the same, as it was published.
        var leavesVersion: Bool {
            switch self {
            case .changedSincePublished, .removedSincePublished, .addedSincePublished: true
            default: false
            }
        }

        /// Whether it may go away without a change of the folder.
        var mayPass: Bool {
            switch self {
            case .missing, .changing, .unreadable: true
            default: false
            }
        }
    }

    package var path: String
    package var reason: Reason

    package init(_ path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

extension ContentError: CustomStringConvertible {
    /// One line, whatever characters the path contains.
    package var description: String {
        let visible = path.unicodeScalars.map { $0.isControlCharacter || $0.properties.isBidiControl ? "\u{FFFD}" : $0 }
        return "\(String(String.UnicodeScalarView(visible))): \(reason)"
    }
}

extension ContentError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "there is no such folder"
        case .notAFolder: "not a folder"
        case .notAFile: "not a regular file"
        case .symbolicLink: "symbolic links are not published"
        case .hidden: "hidden files are not published"
        case .nameNotUTF8: "the name is not UTF-8"
        case .controlCharacterInName: "the name has a control character"
        case .bidirectionalControlInName: "the name has a character that changes the direction of text"
        case .backslashInName: "the name has a backslash"
        case .driveLetter: "the name begins with a drive letter of Windows"
        case .deviceName: "the name is that of a device on Windows"
        case .dotOrSpaceAtEndOfName: "the name ends in a dot or a space, which Windows leaves out"
        case .reservedCharacterInName(let character): "the name has \(character), which Windows has in no name"
        case .percentSignInName: "the name has a percent sign, as if it were encoded for a URL"
        case .invisibleCharacterInName: "the name has an invisible character"
        case .notASemanticVersion: "the folder's name is no semantic version, such as 1.0.0"
        case .sameNameAs(let other): "differs from \"\(other)\" only by case or Unicode normalization"
        case .sameVersionAs(let other): "is the same version as \"\(other)\""
        case .emptyVersion: "the version has no files"
        case .tooManyEntries(let limit): "more than \(limit) files and folders"
        case .tooDeep(let limit): "folders nested more than \(limit) deep"
        case .tooLarge(let limit): "larger than \(limit) bytes"
        case .changing: "changes while it is read"
        case .otherBytes: "its bytes changed, and its size and time did not"
        case .otherFiles: "the same version was published with other files"
        case .changedSincePublished: "is not what was published; put it back, or publish it as another version"
        case .removedSincePublished: "was published and is not there; put it back"
        case .addedSincePublished: "was not there when the version was published; publish it with another version"
        case .missingObject: "a version needs it, and it is not there; publish that version's files again"
        case .emptyName: "a name in the path is empty"
        case .longName(let limit): "the name is longer than \(limit) bytes"
        case .wrongSize: "this is no size of the file with this hash"
        case .notASHA256: "not a SHA-256 in lower-case hexadecimal"
        case .unreadable(let cause): "cannot be read: \(cause)"
        }
    }
}
