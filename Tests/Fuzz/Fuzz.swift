import Foundation

@testable import AppStoreService
@testable import ServerCore

/// The function that libFuzzer calls with each input; `FUZZ_TARGET` in the environment says which target gets it.
@_cdecl("LLVMFuzzerTestOneInput") package func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(Data(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// libFuzzer has a `main` of its own, but SwiftPM gives every executable the one that is named for its module.
@_cdecl("fuzz_main")
package func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var (count, arguments) = (count, arguments)
    return runDriver(&count, &arguments, testOneInput)
}

@_silgen_name("LLVMFuzzerRunDriver") private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private let target: any FuzzTarget = {
    let environment = ProcessInfo.processInfo.environment
    do {
        let folder = URL(filePath: environment["FUZZ_SIGNED_DATA"] ?? "")
        switch environment["FUZZ_TARGET"] {
        case "transaction": return try TransactionText(SignedData(folder))
        case "transaction-members": return try TransactionMembers(SignedData(folder))
        case "certificate": return try TransactionCertificate(SignedData(folder))
        case "app-receipt": return try AppReceiptFile(SignedData(folder))
        case "transaction-receipt": return TransactionReceiptText()
        case "notification": return try NotificationMembers(SignedData(folder))
        case "range": return RangeHeader()
        case "conditions": return ConditionHeaders()
        case "request-body": return RequestBodyText(try FuzzServer())
        case "request-bytes": return RequestStream(try FuzzServer())
        case "client-answer": return ClientAnswer()
        case "client-manifest": return try ClientManifest(folder)
        case "client-payload": return ClientPayload()
        case let name: fatalError("no target \(name ?? "")")
        }
    } catch {
        fatalError("\(error)")
    }
}()

/// Something that strangers can send. It is wrong if it traps, or if it believes what nobody signed.
protocol FuzzTarget: Sendable {
    func test(_ input: Data)
}
