import ArgumentParser
import Content
import Foundation
import InAppPurchase
import Ledger

/// The arguments that name an existing version.
struct VersionName: ParsableArguments {
    @Argument(help: "The bundle's name.")
    var bundle: BundleName

    @Argument(help: "Its version.", transform: Self.version)
    var version: SemanticVersion

    @OptionGroup var confirmation: Confirmation

    @Flag(help: "Print JSON.")
    var json = false

    /// The user of this process as the actor, and the current time.
    var act: PublishingAct { PublishingAct(by: .command(user: NSUserName()), at: Date()) }

    private static func version(_ text: String) throws -> SemanticVersion {
        guard let version = SemanticVersion(text) else {
            throw ValidationError("Not a semantic version, such as 1.1.0.")
        }
        return version
    }
}
