import Content
import Foundation

/// The Range header of a download, after a line with the size of the file.
struct RangeHeader: FuzzTarget {
    func test(_ input: Data) {
        let lines = String(decoding: input, as: UTF8.self).split(separator: "\n", maxSplits: 1)
        guard let first = lines.first, let size = Int(first), size >= 0 else { return }
        if case .part(let first, let last) = ByteRange(lines.dropFirst().first.map(String.init), size: size) {
            precondition(first >= 0 && first <= last && last < size, "not in the file")
        }
    }
}
