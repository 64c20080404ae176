/// The bundles that the account can download (`GET /v1/bundles`).
struct BundleList: Sendable, Decodable {
    var bundles: [Bundle]

    /// A bundle that the account can download.
    struct Bundle: Sendable, Decodable {
        var bundle: String
        /// The version that the account gets. Absent if the app can read none of those offered now.
        var version: String?
        /// The size of the files of ``version`` together, in bytes.
        var size: Int?
        /// The versions that it can ask for.
        var versions: [String]

        private enum CodingKeys: String, CodingKey {
            case bundle
            case version
            case size
            case versions
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            bundle = try container.decode(String.self, forKey: .bundle)
            version = container.lenient(String.self, .version)
            size = container.lenient(Int.self, .size)
            versions = container.lenient(elements: String.self, .versions) ?? []
        }
    }

    private enum CodingKeys: String, CodingKey {
        case bundles
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let bundles = container.lenient(elements: Bundle.self, .bundles) else {
            throw DecodingError.dataCorruptedError(forKey: .bundles, in: container, debugDescription: "No bundles.")
        }
        self.bundles = bundles
    }
}
