import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

@Suite struct StrictJSONTests {
    private func isStrict(_ text: some Sequence<UInt8>) -> Bool {
        (try? StrictJSON.check(Data(text))) != nil
    }

    @Test(
        arguments: [
            "{}", " {\t}\r\n", #"{"a":1}"#, #"{"":0}"#, #"{ "a" : [ ] , "b" : { } }"#,
            #"{"a":{"a":{"a":1}},"b":{"a":1}}"#,
            #"{"a":[{"a":1},{"a":1}]}"#, #"{"a":-0,"b":0.10,"c":-1.5e-7,"d":1E+2,"e":1e999}"#,
            #"{"a":[true,false,null]}"#, #"{"a":"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00é\#u{7F}"}"#, #"{"a":1,"A":2}"#,
            #"{"a":"\ud800"}"#, #"{"\u0061":1,"b":2}"#,
        ])
    func isTaken(_ text: String) { #expect(isStrict(text.utf8)) }

    @Test(
        arguments: [
            "", " ", "[]", "1", "null", "\"a\"", "{", "}", "{}}", "{}{}", "{}x", "{}\u{0}", "\u{FEFF}{}", "{,}",
            "{a:1}",
            #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":[1,]}"#, #"{"a":[,]}"#, #"{"a":1 "b":2}"#, #"{"a":1,,"b":2}"#,
            #"{"a":[}"#, #"{"a":]}"#, #"{'a':1}"#, #"{"a":01}"#, #"{"a":+1}"#, #"{"a":-}"#, #"{"a":1.}"#, #"{"a":.5}"#,
            #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":0x1}"#, #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":tru}"#,
            #"{"a":TRUE}"#, #"{"a":nul}"#, #"{"a":"}"#, #"{"a":"\"}"#, #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#,
            #"{"a":"\u12"}"#, "{\"a\":\"\n\"}", "{\"a\":\"\u{0}\"}", "{\"a\":\"\u{1F}\"}", "/**/{}", "{}//", "{\u{A0}}",
            #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"é":1,"e\#u{301}":2}"#, #"{"":1,"":2}"#,
            #"{"x":{"a":1,"b":2,"a":3}}"#, #"{"\ud800":1}"#, #"{"a":1\#(String(repeating: "0", count: 64))}"#,
        ])
    func isRefused(_ text: String) { #expect(!isStrict(text.utf8)) }

    @Test(
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE9], [0xF4, 0x90, 0x80, 0x80], [0x80]] as [[UInt8]])
    func isNoUTF8(_ bytes: [UInt8]) {
        #expect(!isStrict(Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)))
        #expect(!isStrict(Array(#"{""#.utf8) + bytes + Array(#"":1}"#.utf8)))
    }

    @Test(arguments: [(128, true), (129, false), (200_000, false)]) func depthHasAnEnd(_ depth: Int, _ isTaken: Bool) {
        let arrays = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        #expect(isStrict("{\"a\":\(arrays)}".utf8) == isTaken)
        let objects = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
        #expect(isStrict(objects.utf8) == isTaken)
    }

    /// Whatever is taken Foundation reads too, and what it reads is written again as something that is taken.
    @Test(arguments: 0..<8) func isNoMoreThanFoundationReads(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array(#"{}[]:,"\ab01-+.eEutrflsn \#n\#u{7}é"#.utf8)
        var taken = 0
        for _ in 0..<4000 {
            var text = Array(#"{"a":[1,{"b":"\n"},true],"c":-0.5e1,"d":null}"#.utf8)
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: 0..<text.count, using: &generator)
                text[place] = alphabet.randomElement(using: &generator) ?? 0
            }
            guard isStrict(text) else { continue }
            taken += 1
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(text))
            #expect(isStrict(try JSONEncoder().encode(value)))
        }
        #expect(taken > 500)
    }
}
