import Content
import ServerHTTP

/// One of the two things that are answered from memory.
enum FastTarget: Equatable {
    case content(sha256: String, grant: String)
    case products(app: String)
}

extension FastTarget {
    private static let grant = "?grant="
    private static let sha256Characters = 64

    /// Reads a path and query without percent escapes; `nil` for any other.
    init?(_ uri: String) {
        let bytes = uri.utf8
        if uri.hasPrefix(ContentRoutes.pathBeforeHash) {
            let rest = bytes.dropFirst(ContentRoutes.pathBeforeHash.utf8.count)
            let (sha256, query) = (rest.prefix(Self.sha256Characters), rest.dropFirst(Self.sha256Characters))
            let grant = query.dropFirst(Self.grant.utf8.count)
            guard sha256.allSatisfy(\.isWordCharacter), query.starts(with: Self.grant.utf8), !grant.isEmpty,
                grant.count <= GrantSigner.maximumCharacters, grant.allSatisfy(\.isWordCharacter)
            else { return nil }
            self = .content(sha256: String(Substring(sha256)), grant: String(Substring(grant)))
        } else if uri.hasPrefix(ProductRoutes.pathBeforeApp), uri.hasSuffix(ProductRoutes.pathBehindApp) {
            let app = bytes.dropFirst(ProductRoutes.pathBeforeApp.utf8.count).dropLast(
                ProductRoutes.pathBehindApp.utf8.count)
            guard !app.isEmpty, app.allSatisfy(\.isWordCharacter) else { return nil }
            self = .products(app: String(Substring(app)))
        } else {
            return nil
        }
    }
}

extension UInt8 {
    /// Whether the byte stands for itself in a path and in a query: no escape, no separator.
    fileprivate var isWordCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension FastRequest {
    var conditions: Preconditions {
        Preconditions(
            ifMatch: headers.ifMatch, ifNoneMatch: headers.ifNoneMatch, ifRange: headers.ifRange, range: headers.range)
    }

    var negotiation: ContentNegotiation {
        ContentNegotiation(
            acceptEncoding: headers.acceptEncoding, availableDictionary: headers.availableDictionary,
            range: headers.range, ifRange: headers.ifRange)
    }
}
