import Content
import Foundation
import HTTPTypes
import SystemPackage

/// The way in which the bytes of content are sent to the client. Grants are verified here in each case.
package enum ContentSender: String, CaseIterable, Sendable {
    /// This server sends the files.
    case local
    /// nginx in front of this server sends the files, told where they are by `X-Accel-Redirect`.
    case accel
    /// The object store sends the files: the client is redirected to it.
    case redirect

    /// The prefix that nginx must map to the content folder, as an `internal` location.
    static let internalPrefix = "/internal-content"

    /// The path at which nginx finds a file: its path within the content folder, percent-encoded.
    ///
    /// - Returns: `nil` if the file is not in the folder.
    static func internalPath(of file: String, in folder: String) -> String? {
        var path = FilePath(file)
        guard path.removePrefix(FilePath(folder)), !path.isEmpty else { return nil }
        return path.components.reduce(into: internalPrefix) { text, component in
            let escaped = component.string.addingPercentEncoding(withAllowedCharacters: .unreservedInURL)
            text += "/" + (escaped ?? component.string)
        }
    }
}

extension CharacterSet {
    /// The unreserved characters of RFC 3986 §2.3.
    fileprivate static let unreservedInURL = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

extension HTTPField.Name {
    static let accelRedirect = Self("X-Accel-Redirect")!
}
