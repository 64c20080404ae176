import Foundation
import HangmanGame
import QuartermasterClient

/// The game on the whole terminal: messages change the model, the model is drawn, and its commands are performed.
struct FullScreen {
    private enum Event: Sendable {
        case message(Message)
        case redraw(Size)
        case end
    }

    let terminal: Terminal
    let client: GameClient
    let home: Home

    private var hasColors: Bool { ProcessInfo.processInfo.environment["NO_COLOR"].map(\.isEmpty) ?? true }

    /// Ends when the player quits.
    func run() async {
        let (events, sender) = AsyncStream.makeStream(of: Event.self)
        let send: @Sendable (Message) -> Void = { sender.yield(.message($0)) }
        var model = Model(size: Terminal.size, saved: home.saved())
        let performer = Performer(client: client, home: home, send: send)
        terminal.open { event in
            switch event {
            case .key(let key): send(.key(key))
            case .redraw(let size): sender.yield(.redraw(size))
            case .end: sender.yield(.end)
            }
        }
        await client.start()
        let watch = Task { await performer.watch() }
        performer.begin(model)
        await loop(events, &model, performer)
        terminal.close()
        watch.cancel()
        await client.stop()
    }

    private func loop(_ events: AsyncStream<Event>, _ model: inout Model, _ performer: Performer) async {
        var drawn: [StyledLine] = []
        draw(model, over: &drawn)
        for await event in events {
            var commands: [Command] = []
            let theme = model.theme
            switch event {
            case .message(let message): commands = model.update(message)
            case .redraw(let size):
                drawn = []
                commands = model.update(.resized(size))
            case .end: return
            }
            for command in commands {
                if command == .quit { return }
                if command == .suspend { terminal.suspend() }
                performer.perform(command, &model)
            }
            // Other colours: every line looks different.
            if model.theme != theme { drawn = [] }
            draw(model, over: &drawn)
        }
    }

    private func draw(_ model: Model, over drawn: inout [StyledLine]) {
        let lines = Screen(model).lines
        terminal.draw(Frame(theme: model.theme, hasColors: hasColors).bytes(drawing: lines, over: drawn))
        drawn = lines
    }
}
