import Foundation
#if canImport(FoundationXML)
    import FoundationXML
#endif

/// One page of an answer to ListObjectsV2, or an error's document.
///
/// Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
struct ObjectListing {
    private(set) var objects: [ListedObject] = []
    /// Where the next page begins; nil after the last one.
    private(set) var continuation: String?
    /// Of an error, such as `NoSuchKey`; nil of a listing.
    private(set) var errorCode: String?

    /// - Throws: ``ObjectStoreError`` where it is no such document.
    init(_ document: Data, prefix: String) throws(ObjectStoreError) {
        let reader = ListingReader()
        let parser = XMLParser(data: document)
        parser.delegate = reader
        // Linux's parser takes half a document for a whole one.
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

/// The texts of the root's members, and of those of each `Contents`.
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

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
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
