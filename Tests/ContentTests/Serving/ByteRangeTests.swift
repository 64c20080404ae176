import Content
import Testing

@Suite struct ByteRangeTests {
    /// Of 10 bytes.
    static let ofTen: [(String?, ByteRange)] = [
        (nil, .whole), ("", .whole), ("bytes", .whole), ("bytes=", .whole), ("=0-1", .whole), ("lines=0-1", .whole),
        ("bytes=0-0", .part(first: 0, last: 0)), ("bytes=0-", .part(first: 0, last: 9)),
        ("BYTES=2-4", .part(first: 2, last: 4)), ("bytes=9-", .part(first: 9, last: 9)),
        ("bytes=9-9", .part(first: 9, last: 9)), ("bytes=2-99", .part(first: 2, last: 9)),
        ("bytes=002-0004", .part(first: 2, last: 4)), ("bytes=0-18446744073709551616", .part(first: 0, last: 9)),
        ("bytes=0-9223372036854775807", .part(first: 0, last: 9)),
        ("bytes=-1", .part(first: 9, last: 9)), ("bytes=-10", .part(first: 0, last: 9)),
        ("bytes=-11", .part(first: 0, last: 9)), ("bytes=-99999999999999999999", .part(first: 0, last: 9)),
        ("bytes=-9223372036854775807", .part(first: 0, last: 9)),
        ("bytes=-0", .unsatisfiable), ("bytes=-000", .unsatisfiable), ("bytes=10-", .unsatisfiable),
        ("bytes=10-10", .unsatisfiable), ("bytes=18446744073709551616-", .unsatisfiable),
        ("bytes=9223372036854775807-", .unsatisfiable),
        ("bytes=9223372036854775808-9223372036854775809", .unsatisfiable),
        ("bytes=5-2", .whole), ("bytes=99999999999999999999-5", .whole), ("bytes=-", .whole), ("bytes=--1", .whole),
        ("bytes=a-b", .whole), ("bytes=0x1-2", .whole), ("bytes=+1-2", .whole), ("bytes=1-+2", .whole),
        ("bytes=1", .whole), ("bytes=1-2-3", .whole), ("bytes=1.0-2", .whole), ("bytes=-1-", .whole),
        ("bytes=٣-٤", .whole), ("bytes==0-1", .whole), ("bytes:0-1", .whole), ("bytes =0-1", .whole),
        (" bytes=0-1", .whole), ("bytes= 0-1", .whole), ("bytes=0-1 ", .whole), ("bytes=0 -1", .whole),
        ("bytes=0- 1", .whole), ("bytes=- 1", .whole), ("bytes=0-1\n", .whole), ("bytes=0-1\0", .whole),
        ("bytes=0-1,4-5", .whole), ("bytes=0-1, 4-5", .whole), ("bytes=0-1,x", .whole), ("bytes=0-0,0-0", .whole),
        ("bytes=,0-1", .part(first: 0, last: 1)), ("bytes=0-1,", .part(first: 0, last: 1)),
        ("bytes=0-1 ,", .part(first: 0, last: 1)), ("bytes=,\t 0-1 ,, ,", .part(first: 0, last: 1)),
        (",bytes=0-1", .whole), ("bytes=,", .whole), ("bytes=, ,", .whole), ("bytes= ,0-1", .part(first: 0, last: 1)),
        ("bytes=,0-1 ", .whole), ("bytes=0-1\u{301}", .whole), ("bytes=\u{301}0-1", .whole),
    ]

    @Test(arguments: ofTen)
    func `A Range header on ten bytes gives the part of the RFC`(header: String?, expected: ByteRange) {
        #expect(ByteRange(header, size: 10) == expected)
    }

    @Test(arguments: ["bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0", "bytes=5-", "bytes=-99999999999999999999"])
    func `No range of an empty file is satisfiable`(_ header: String) {
        #expect(ByteRange(header, size: 0) == .unsatisfiable)
    }

    @Test(arguments: ["bytes=5-2", "bytes=-", "bytes=0-0,1-1", "x=0-0"])
    func `An invalid range of an empty file gives the whole`(_ header: String) {
        #expect(ByteRange(header, size: 0) == .whole)
    }

    @Test func `Ranges of the largest file size do not overflow`() {
        #expect(ByteRange("bytes=0-", size: .max) == .part(first: 0, last: .max - 1))
        #expect(ByteRange("bytes=-1", size: .max) == .part(first: .max - 1, last: .max - 1))
        #expect(ByteRange("bytes=9223372036854775808-", size: .max) == .unsatisfiable)
        #expect(ByteRange("bytes=-9223372036854775808", size: .max) == .part(first: 0, last: .max - 1))
    }

    /// Compared with the definition: the bytes of the file at the positions that the range names.
    @Test func `Small ranges give exactly the bytes that they name`() {
        for size in 0...6 {
            for first in 0...8 {
                check("bytes=\(first)-", (0..<size).filter { $0 >= first }, size)
                check("bytes=-\(first)", Array((0..<size).suffix(first)), size)
                for last in first...8 {
                    check("bytes=\(first)-\(last)", (0..<size).filter { first...last ~= $0 }, size)
                }
            }
        }
    }

    private func check(_ header: String, _ positions: [Int], _ size: Int) {
        let expected: ByteRange =
            if let first = positions.first, let last = positions.last {
                .part(first: first, last: last)
            } else {
                .unsatisfiable
            }
        #expect(ByteRange(header, size: size) == expected, "\(header) of \(size)")
    }
}
