import Foundation
import InAppPurchase
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// Edits of the text of `products.json` leave every other byte as it is.
@Suite struct CatalogTextTests {
    @Test(arguments: campaign(of: 400)) func `Random edits of a catalog leave all other bytes`(seed: UInt64) throws {
        let random = RandomCatalog(seed: seed)
        let file = try CatalogFile(random.text, bundles: [], handlers: Server.standardHandlers)
        #expect(file.catalog.apps.map { $0.products.map(\.id) } == random.apps.map { $0.map(\.id) })
        for (app, entries) in random.apps.enumerated() {
            var catalog = random
            try expectAddition(of: catalog.entry("new"), to: app, random, file)
            for (product, entry) in entries.enumerated() {
                let place = CatalogText.EntryIndex(app: app, product: product)
                #expect(file.text?.entry(place) == Data(entry.text.utf8))
                try expectReplacement(at: place, entry, by: catalog.entry(entry.id), random, file)
                try expectRemoval(at: place, entry, random, file)
            }
        }
    }

    private func expectAddition(of entry: String, to app: Int, _ random: RandomCatalog, _ file: CatalogFile) throws {
        let edit = CatalogEdit(app: "com.example.app\(app)", product: nil, act: .put(Data(entry.utf8)))
        let change = try file.applying(edit, bundles: [], handlers: Server.standardHandlers)
        #expect(change.outcome == .added && change.before == nil)
        expectSameJSON(change.after, entry)
        let new = change.files.new.bytes
        guard let last = random.apps[app].last else {
            // Of the space in the empty brackets nothing need stay.
            #expect(change.files.new.catalog.apps[app].products.map(\.id) == ["new"])
            return
        }
        let (before, after) = random.around(last.piece)
        let start = before + Data(last.text.utf8)
        #expect(new.starts(with: start) && new.suffix(after.count) == after)
        let inserted = new.dropFirst(start.count).dropLast(after.count)
        #expect(inserted.first { !$0.isJSONSpace } == .comma)
        #expect(change.after.map { inserted.suffix($0.count) == $0 } == true)
    }

    private func expectReplacement(
        at place: CatalogText.EntryIndex, _ old: RandomCatalog.Entry, by entry: String, _ random: RandomCatalog,
        _ file: CatalogFile
    ) throws {
        let edit = CatalogEdit(app: "com.example.app\(place.app)", product: old.id, act: .put(Data(entry.utf8)))
        let change = try file.applying(edit, bundles: [], handlers: Server.standardHandlers)
        #expect(change.before == Data(old.text.utf8))
        expectSameJSON(change.after, entry)
        let (before, after) = random.around(old.piece)
        #expect(change.files.new.bytes == before + (change.after ?? Data()) + after)
        let again = try change.files.new.applying(edit, bundles: [], handlers: Server.standardHandlers)
        #expect(again.outcome == .unchanged && again.files.new.bytes == change.files.new.bytes)
    }

    private func expectRemoval(
        at place: CatalogText.EntryIndex, _ old: RandomCatalog.Entry, _ random: RandomCatalog, _ file: CatalogFile
    ) throws {
        let edit = CatalogEdit(app: "com.example.app\(place.app)", product: old.id, act: .remove)
        let change = try file.applying(edit, bundles: [], handlers: Server.standardHandlers)
        #expect(change.outcome == .removed && change.after == nil)
        var expected = random.apps.map { $0.map(\.id) }
        expected[place.app].remove(at: place.product)
        #expect(change.files.new.catalog.apps.map { $0.products.map(\.id) } == expected)
        // One piece is cut out: the entry, and around it space and at most one comma.
        let (before, _) = random.around(old.piece)
        let entry = before.count..<before.count + old.text.utf8.count
        #expect(
            (0...before.count).contains { isCut(from: $0, around: entry, Array(file.bytes), change.files.new.bytes) },
            "\(String(decoding: change.files.new.bytes, as: UTF8.self))")
    }

    /// Whether the new text is the old one without a piece that begins there, of which the entry is a part.
    private func isCut(from start: Int, around entry: Range<Int>, _ old: [UInt8], _ new: Data) -> Bool {
        let end = start + old.count - new.count
        guard start <= entry.lowerBound, end >= entry.upperBound else { return false }
        let space = old[start..<entry.lowerBound] + old[entry.upperBound..<end]
        guard space.allSatisfy({ $0.isJSONSpace || $0 == .comma }), space.count(where: { $0 == .comma }) <= 1 else {
            return false
        }
        return old[..<start] + old[end...] == ArraySlice(new)
    }

    /// The same tokens, each as it is written.
    private func expectSameJSON(_ text: Data?, _ expected: String) {
        #expect(text?.plainJSON == Data(expected.utf8).plainJSON)
    }

    /// Whatever is in the text, the scanner comes to an end.
    @Test(arguments: campaign(of: 200)) func `No text keeps the catalog scanner from ending`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var text = RandomCatalog(seed: seed).text
        for _ in 0..<Int.random(in: 0...6, using: &generator) where !text.isEmpty {
            let place = Int.random(in: 0..<text.count, using: &generator)
            switch Int.random(in: 0...2, using: &generator) {
            case 0: text = text.prefix(place)
            case 1: text = text.prefix(place) + text.dropFirst(place + 1)
            default: text[place] = generator.pick(UInt8(ascii: "\""), 0x5C, 0x7B, 0x7D, 0x5B, 0x5D, 0x2C, 0x3A, 0xFF, 0)
            }
            text = Data(text)
        }
        guard let catalog = CatalogText(text) else { return }
        for product in -1...4 {
            let place = CatalogText.EntryIndex(app: 0, product: product)
            _ = (catalog.entry(place), catalog.removing(place), catalog.adding(text, toApp: 0))
            _ = catalog.replacing(place, with: text)
        }
    }
}

extension RandomCatalog {
    /// The text before and after a piece.
    fileprivate func around(_ piece: Int) -> (Data, Data) {
        (Data(pieces[..<piece].joined().utf8), Data(pieces[(piece + 1)...].joined().utf8))
    }
}
