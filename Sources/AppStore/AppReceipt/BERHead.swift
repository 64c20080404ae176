/// The tag and the length of a node in BER (X.690 §8.1).
struct BERHead {
    /// The first octet of the tag.
    let tag: UInt8
    /// The number of octets of the content; `nil` if its end is marked (§8.1.3.6).
    let length: Int?

    /// Removes the head from the octets; `nil` if it is not complete, or its length does not fit.
    init?(from octets: inout ArraySlice<UInt8>) {
        guard let tag = octets.popFirst() else { return nil }
        if tag & 0x1F == 0x1F {
            // All octets of a large tag but the last have the high bit (§8.1.2.4).
            repeat {} while octets.popFirst().map { $0 & 0x80 != 0 } == true
        }
        guard let first = octets.popFirst() else { return nil }
        self.tag = tag
        guard first > 0x80 else {
            length = first == 0x80 ? nil : Int(first)
            return
        }
        let count = Int(first & 0x7F)
        guard count <= UInt64.bitWidth / 8, octets.count >= count else { return nil }
        let value = octets.prefix(count).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        octets = octets.dropFirst(count)
        guard let length = Int(exactly: value) else { return nil }
        self.length = length
    }

    /// Counts the nodes of all levels, before a parser makes more than a hundred bytes of each, of two octets or more.
    ///
    /// - Returns: at least as many as a parser finds.
    /// - Throws: if there are more than the limit, or something is no node.
    static func count(_ octets: ArraySlice<UInt8>, atMost limit: Int) throws -> Int {
        var (rest, count) = (octets, 0)
        while !rest.isEmpty {
            count += 1
            guard count <= limit, let head = BERHead(from: &rest) else { throw AppReceiptError() }
            // The content of a constructed node is nodes.
            if head.tag & 0x20 == 0 { rest = rest.dropFirst(head.length ?? 0) }
        }
        return count
    }

    /// Removes a node of this tag whose length is given, and returns its content; `nil` if there is another one.
    static func content(of tag: UInt8, in octets: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let head = BERHead(from: &octets), head.tag == tag, let length = head.length, length <= octets.count
        else { return nil }
        defer { octets = octets.dropFirst(length) }
        return octets.prefix(length)
    }
}
