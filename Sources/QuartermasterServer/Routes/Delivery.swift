import Content
import Foundation
import HTTPTypes
import SystemPackage

/// How the bytes of content come to the client. Grants are checked here in each.
enum Delivery: String, CaseIterable, Sendable {
    /// This server sends them.
    case local
    /// nginx in front of it does, told where they are by `X-Accel-Redirect`.
    case accel
    /// The object store does: the client is sent there.
    case redirect

    /// What nginx must map to the content folder, as an `internal` location.
    static let internalPrefix = "/internal-content"

    /// Where nginx finds a file: its path within the content folder, escaped as nginx unescapes it.
    ///
    /// - Returns: nil where the file is not in the folder.
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
    /// RFC 3986 §2.3.
    fileprivate static let unreservedInURL = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

extension HTTPField.Name {
    static let accelRedirect = Self("X-Accel-Redirect")!
}
