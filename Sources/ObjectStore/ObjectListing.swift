import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// One page of a response to ListObjectsV2, or an error document.
///
/// Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
struct ObjectListing {
    private(set) var objects: [ListedObject] = []
    /// The continuation token of the next page; `nil` after the last one.
    private(set) var continuation: String?
    /// The code of an error document, such as `NoSuchKey`; `nil` for a listing.
    private(set) var errorCode: String?

    /// - Throws: ``ObjectStoreError`` if it is neither.
    init(_ document: Data, prefix: String) throws(ObjectStoreError) {
        let reader = ListingReader()
        let parser = XMLParser(data: document)
        parser.delegate = reader
        // On Linux the parser accepts a truncated document.
        guard parser.parse(), reader.isComplete else { throw .malformed("no XML") }
        switch reader.root {
        case "Error": errorCode = reader.members["Code"] ?? ""
        case "ListBucketResult": break
        default: throw .malformed("no listing")
        }
        for members in reader.objects { objects.append(try ListedObject(members, prefix: prefix)) }
        if reader.members["IsTruncated"] == "true" {
            guard let next = reader.members["NextContinuationToken"], !next.isEmpty else {
                throw .malformed("a listing that does not say how it goes on")
            }
            continuation = next
        }
    }
}

/// Collects the character data of the root's members, and of those of each `Contents`.
private final class ListingReader: NSObject, XMLParserDelegate {
    private(set) var root: String?
    private(set) var members: [String: String] = [:]
    private(set) var objects: [[String: String]] = []

    var isComplete: Bool { root != nil && path.isEmpty }

    private var path: [String] = []
    private var text = ""
    private var object: [String: String] = [:]

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        if path.isEmpty { root = name }
        path.append(name)
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        switch path.count {
        case 2 where name == "Contents":
            objects.append(object)
            object = [:]
        case 2: members[name] = text
        case 3 where path.dropLast().last == "Contents": object[name] = text
        default: break
        }
        path.removeLast()
        text = ""
    }
}
