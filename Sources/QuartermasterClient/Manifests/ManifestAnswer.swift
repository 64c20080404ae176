import Foundation

/// The answer to `GET /v1/bundles/{name}`: the signed part, and links that nobody signed. Only its hash tells whether a
/// file that a link leads to is the right one.
struct ManifestAnswer: Decodable, Sendable {
    /// A file that makes another from an older one.
    struct Patch: Decodable, Sendable {
        let encoding: String
        /// The older file.
        let from: ContentHash
        let size: Int
        let sha256: ContentHash
        let url: String
    }

    private struct File: Decodable {
        enum CodingKeys: String, CodingKey {
            case sha256
            case url
            case patches
        }

        let sha256: ContentHash
        let url: String
        let patches: [Patch]

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            sha256 = try members.decode(ContentHash.self, forKey: .sha256)
            url = try members.decode(String.self, forKey: .url)
            patches = members.lenient(elements: Patch.self, .patches) ?? []
        }
    }

    private enum CodingKeys: String, CodingKey {
        case signed
        case fresh
        case delivery
        case files
    }

    let signed: String
    let fresh: String?
    let delivery: String?
    /// The link of each file.
    let links: [ContentHash: String]
    /// The patches that make a file.
    let patches: [ContentHash: [Patch]]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        signed = try members.decode(String.self, forKey: .signed)
        fresh = try members.decodeIfPresent(String.self, forKey: .fresh)
        delivery = members.lenient(String.self, .delivery)
        let files = members.lenient(elements: File.self, .files) ?? []
        links = Dictionary(files.map { ($0.sha256, $0.url) }) { first, _ in first }
        patches = Dictionary(files.map { ($0.sha256, $0.patches) }) { first, _ in first }
    }
}
