/// Another process uses the client's folder: an app extension, or a second copy of the game.
public struct FolderInUse: Error, Sendable {}
