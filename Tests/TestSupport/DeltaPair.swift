package import Foundation

/// Two versions of a bundle, of which 1 to 5 % differ.
package struct DeltaPair: Sendable {
    package let name: String
    package let older: [String: Data]
    package let newer: [String: Data]

    /// Ten word packs and ten themes.
    package static let corpus = (0..<10).flatMap { [wordPack(seed: $0), theme(seed: $0)] }

    /// A sorted list of words with hints: some words new, some gone, some hints corrected.
    private static func wordPack(seed: UInt64) -> DeltaPair {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 1_200...6_000, using: &generator)
        let older = (0..<count).map { _ in entry(&generator) }.sorted()
        let odds = Double(1 + seed % 5) / 100
        let newer = older.flatMap { line -> [String] in
            guard Double.random(in: 0..<1, using: &generator) < odds else { return [line] }
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: return [line, line.prefix(4) + entry(&generator)]
            case 1: return []
            default: return [(line.split(separator: "\t").first ?? "") + "\t" + hint(&generator)]
            }
        }
        func files(_ words: [String], version: Int) -> [String: Data] {
            let pack = #"{"kind": "word-pack", "version": \#(version), "words": "words.txt", "count": \#(words.count)}"#
            return ["words.txt": text(words), "pack.json": Data(pack.utf8)]
        }
        return DeltaPair(name: "words \(seed)", older: files(older, version: 1), newer: files(newer, version: 2))
    }

    /// Drawings and a picture: colours and lines that are slightly changed, in every drawing or in a few.
    private static func theme(seed: UInt64) -> DeltaPair {
        var generator = SeededGenerator(seed: seed + 100)
        let odds = Double(1 + seed % 5) / 100
        var (older, newer): ([String: Data], [String: Data]) = ([:], [:])
        for number in 0..<Int.random(in: 6...12, using: &generator) {
            let lines = (0..<Int.random(in: 200...600, using: &generator)).map { _ in shape(&generator) }
            older["drawing-\(number).svg"] = text(lines)
            newer["drawing-\(number).svg"] = text(
                lines.map { Double.random(in: 0..<1, using: &generator) < odds ? shape(&generator) : $0 })
        }
        let picture = noise(Int.random(in: 10_000...40_000, using: &generator), &generator)
        (older["icon.png"], newer["icon.png"]) = (picture, picture)
        return DeltaPair(name: "theme \(seed)", older: older, newer: newer)
    }

    private static func entry(_ generator: inout SeededGenerator) -> String {
        WordList.word(using: &generator) + "\t" + hint(&generator)
    }

    private static func hint(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 3...7, using: &generator)).map { _ in WordList.word(using: &generator) }
            .joined(separator: " ")
    }

    private static func shape(_ generator: inout SeededGenerator) -> String {
        let points = (0..<4).map { _ in
            "\(Int.random(in: 0..<400, using: &generator)) \(Int.random(in: 0..<400, using: &generator))"
        }
        let colour = String(Int.random(in: 0..<1 << 24, using: &generator), radix: 16, uppercase: true)
        return ##"  <path d="M\##(points.joined(separator: " L"))" stroke="#\##(colour)" stroke-width="2"/>"##
    }

    private static func noise(_ size: Int, _ generator: inout SeededGenerator) -> Data {
        let words = (0..<size / 8).map { _ in generator.next() }
        return words.withUnsafeBytes { Data($0) }
    }

    private static func text(_ lines: [String]) -> Data { Data((lines.joined(separator: "\n") + "\n").utf8) }
}
