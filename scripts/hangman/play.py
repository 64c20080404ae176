"""Plays Hangman as a person would: keys in, and what must then be on the screen. scripts/check-hangman.sh starts it."""

import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import pages
from failure import Failure, folder_of, run_of
from process import cpu_seconds, eventually, free_ports
from terminal import PROMPT, Terminal
from world import RECORDINGS, Guesser, World, built_in, of_pack

BUILT_IN = Path("examples/Hangman/Game/Words/WordPack.swift")
QUIET = 1.5  # seconds in which nothing comes of a download that was paused
IDLE = 10  # seconds for which an idle game is watched
IDLE_SHARE = 0.005  # of a core, at most: it rounds to 0 %
# For one more word in a file of 16 KiB: the patch, and the answers around it.
UPDATE = 8 << 10  # bytes
# Of a file that was on its way when the game was killed: the piece that had not arrived.
PIECE = 8 << 20
OVER = ["You found it", "It was [A-Z]"]


class Story:
    """One game after the other, in one terminal."""

    def __init__(self, world, terminal, game, folder, screens):
        self.world, self.terminal, self.game, self.folder = world, terminal, game, folder
        self.screens = screens
        self.server = ExitStack()

    # MARK: - Telling

    def step(self, text):
        print(f" ✔ {text}", flush=True)

    def keep(self, name):
        """Keeps the screen for the pages."""
        self.screens[name] = self.terminal.screen()

    # MARK: - The game

    def start(self, home="home", prefix=""):
        self.terminal.run("true")
        self.terminal.type(f"{prefix}{self.game} {self.world.flags} --home {self.folder / home}")
        self.terminal.press("Enter")
        self.terminal.wait(r"\[1 Play\]")

    def pid(self):
        """Of the game that runs in the terminal."""
        found = subprocess.run(["pgrep", "-f", f"^{self.game} "], capture_output=True, text=True, check=False)
        pids = found.stdout.split()
        if len(pids) != 1:
            raise Failure(f"{len(pids)} games run")
        return int(pids[0])

    def expect_prompt(self):
        self.terminal.wait(rf"(?m)^{re.escape(PROMPT.strip())}\s*\Z")
        eventually("the game is over, and the terminal does not leave its other screen", 5,
                   lambda: not self.terminal.has_another_screen(), every=0.05)

    def press(self, key, *patterns, **options):
        """Presses a key, and waits until the patterns are on the screen."""
        self.terminal.press(key)
        return self.terminal.wait(*patterns, **options)

    def open(self, tab, *patterns, **options):
        """Goes to a screen, by its number."""
        return self.press(tab, rf"\[{tab} ", *patterns, **options)

    def refresh_until(self, *patterns):
        """Refreshes until the server knows: what the store tells it, and new content, take a moment to get there."""
        for _ in range(20):
            self.terminal.press("r")
            try:
                return self.terminal.wait(*patterns, within=1)
            except Failure:
                continue
        return self.terminal.wait(*patterns, within=1)

    def quit(self):
        self.terminal.press("C-c")
        self.expect_prompt()

    def select(self, row):
        """Moves to the row of a list that begins with the text."""
        for _ in range(20):
            if re.search(rf"(?m)^ ▸ [● ]*{re.escape(row)}", self.terminal.text()):
                return
            self.terminal.press("Down")
            time.sleep(0.05)
        raise Failure(f"no row {row}\n{self.terminal.text()}")

    def choose(self, row, *patterns, **options):
        self.select(row)
        return self.press("Enter", *patterns, **options)

    def solve(self, words):
        """Guesses until the word is found, or lost."""
        guesser, tried = Guesser(words), []
        while True:
            text = self.terminal.text()
            shown = re.search(r"(?m)(?:^|\s{2,})((?:[A-Z_] ){3,}[A-Z_])\s*$", text)
            if re.search("You found it|It was [A-Z]+", text):
                return bool(re.search("You found it", text))
            letter = guesser.letter(shown[1], tried)
            tried.append(letter)
            self.terminal.press(letter)
            eventually(f"nothing happens to\n{text}\n", 10, lambda: self.terminal.text() != text, every=0.02)

    # MARK: - The story

    def first_start(self):
        self.modes = self.terminal.modes()
        self.start()
        self.terminal.wait("20 hints · online", "Press Enter for a word")
        self.step("first start: 20 hints, nothing bought, no account")
        self.open("4", r"Account\s+none yet")
        self.open("1")
        self.press("Enter", "Everyday words", "0 of 6 wrong", r"(?:_ )+_")
        won = self.solve(built_in(BUILT_IN))
        self.terminal.wait("won 1, lost 0" if won else "won 0, lost 1")
        self.step(f"a word of the built-in ones is guessed, and {'found' if won else 'lost'}")

    def buy_hints(self):
        self.open("2", r"▸ Ten hints\s+\$0\.99")
        self.press("Enter", "Ten hints: delivered", "30 hints")
        self.step("ten hints are bought")
        self.open("1")
        self.press("Enter", "0 of 6 wrong", without=OVER)
        self.press("?", "Clue: ", "29 hints")
        self.terminal.press("e", "a", "o")
        self.terminal.wait(r"· B C D ·")
        self.keep("play")
        self.step("one is spent, and the clue is shown")

    def buy_words(self):
        self.open("2", "Hard words")
        self.choose("Hard words", r"Hard words: delivered", r"Hard words .*↓ [23]\d %")
        self.keep("store")
        self.step("hard words are bought, and the download shows how far it is")
        paused = self.press("p", r"paused at (\d+) %")[1]
        before = self.world.link.received
        time.sleep(QUIET)
        if self.world.link.received - before > self.world.quiet_bytes():
            raise Failure("bytes came although the download is paused")
        self.terminal.wait(rf"paused at {paused} %")
        self.press("p", r"Hard words .*↓ (\d+) %")
        self.step(f"paused at {paused} %, and resumed")

    def kill_game(self):
        os.kill(self.pid(), signal.SIGKILL)
        # Nothing can put the terminal back for a game that was killed.
        self.terminal.type("stty sane; printf '\\e[?1049l\\e[?25h\\e[?2004l\\e[0m'\n")
        self.expect_prompt()
        self.terminal.run(f"stty {self.saved_modes}")

    def kill(self):
        self.terminal.wait(r"Hard words .*↓ [4-9]\d %")
        self.kill_game()
        before = self.world.link.received
        self.start()
        self.open("3", r"Hard words .*installed 1\.0\.0", within=60)
        fetched = self.world.link.received - before
        if fetched > RECORDINGS * 0.62 + PIECE / 4:
            raise Failure(f"{fetched} bytes of {RECORDINGS} came again")
        self.step(f"killed by kill -9 in the middle of it, started again: {fetched >> 10} KiB fetched, installed")

    def play_hard_words(self):
        self.choose("Hard words", "The next word is from Hard words", "● Hard words")
        self.keep("packs")
        self.open("1")
        if not re.search("You found it|It was", self.terminal.text()):
            self.solve(built_in(BUILT_IN))
        self.press("Enter", "Hard words", "0 of 6 wrong", without=OVER)
        self.solve(of_pack(self.world.hard_words))
        self.step("a hard word is guessed")

    def play_offline(self):
        self.quit()
        self.end_server()
        self.start()
        self.terminal.wait("offline")
        self.press("Enter", "Hard words", "0 of 6 wrong", without=OVER)
        self.press("?", "the server cannot be reached")
        self.solve(of_pack(self.world.hard_words))
        self.open("2", r"Hard words")
        self.press("r", "the server cannot be reached", "29 hints · offline")
        self.keep("offline")
        self.step("played offline, with the server stopped: no hint is spent, and the words are there")
        self.begin_server()
        self.press("r", "29 hints · online")
        self.step("online again")

    def update(self):
        self.world.publish_update()
        self.open("3")
        before = self.world.link.received
        self.refresh_until(r"Hard words .*update 1\.1\.0")
        self.select("Hard words")
        self.press("u", r"496 words .*installed 1\.1\.0")
        fetched = self.world.link.received - before
        if fetched > UPDATE:
            raise Failure(f"{fetched} bytes for one more word")
        self.step(f"updated to 1.1.0, one more word, by {fetched} bytes")

    def lose_a_hint(self):
        """The answer to a hint is lost, and the game is killed before it can ask again."""
        self.open("1")
        self.press("Enter", "Hard words", "0 of 6 wrong", without=OVER)
        self.world.link.is_mute = True
        self.press("?", "Spending a hint")
        eventually("the server does not answer", 10, lambda: self.world.link.swallowed, every=0.02)
        self.kill_game()
        self.world.link.is_mute = False
        self.start()
        self.terminal.wait("Clue: ", "28 hints · online")
        self.step("killed when the answer to a hint was lost: after the start it is there, and was paid once")

    def second_folder(self):
        self.open("4", "hidden; c shows it")
        code = self.press("c", r"Recovery code\s+((?:[0-9A-Z]{4}-){5}[0-9A-Z]{4})")[1]
        self.open("1")
        self.open("4", "hidden; c shows it")
        self.quit()
        self.start("second")
        self.terminal.wait("20 hints · online")
        self.open("4")
        self.press("e", "Recovery code: ▏")
        self.terminal.type(code)
        self.terminal.wait(f"Recovery code: {code}")
        self.press("Enter", "28 hints · online", "The account is open")
        self.screens["account"] = self.terminal.screen()
        self.open("2", r"Hard words .*not installed")
        self.choose("Hard words", r"Hard words .*installed", without=["not installed"], within=60)
        self.step("a second folder with the recovery code: 28 hints and hard words are there")

    def refund(self):
        self.open("3")
        self.choose("Hard words", "● Hard words")
        self.world.refund(self.folder / "home", "hardwords")
        self.refresh_until(r"Hard words .*locked", "● Everyday words", "Hard words is locked now")
        self.open("2", r"Hard words .*\$2\.99")
        self.step("refunded: the pack is locked at the next refresh, and words are the built-in ones")

    def night_theme(self):
        self.choose("Night theme", r"Night theme, a month .*until 20\d\d-\d\d-\d\d",
                    "Night theme is installed|Night is installed")
        self.open("3", "Night .*theme .*installed 1.0.0")
        self.choose("Night", "● Night")
        if "48;2;11;16;38" not in "\n".join(self.terminal.screen(with_colors=True)):
            raise Failure("the screen has not the night's colours")
        self.step("the night theme for a month: the screen has its colours")
        self.world.advance(days=32)
        self.refresh_until("Night .*locked", "Night theme is locked now")
        if "48;2;11;16;38" in "\n".join(self.terminal.screen(with_colors=True)):
            raise Failure("the screen still has the night's colours")
        self.open("2", r"Night theme, a month .*\$0\.99")
        self.step("32 days later it has expired: the colours are the terminal's own, and it is for sale again")
        self.quit()

    # MARK: - The terminal

    def idle(self):
        self.start()
        self.terminal.wait("online")
        pid = self.pid()
        time.sleep(2)
        before = cpu_seconds(pid)
        time.sleep(IDLE)
        share = (cpu_seconds(pid) - before) / IDLE
        if share > IDLE_SHARE:
            raise Failure(f"an idle game takes {share:.1%} of a core")
        self.step(f"idle for {IDLE} seconds: {share:.1%} of a core")

    def sizes(self):
        self.terminal.resize(60, 20)
        self.terminal.wait(r"^\[1 Play\] 2 Store", without=["HANGMAN"])
        self.terminal.resize(50, 10)
        self.terminal.wait("This window is smaller than 60×20")
        self.terminal.resize(80, 24)
        self.terminal.wait("HANGMAN")
        self.quit()
        self.start(prefix="NO_COLOR=1 ")
        if re.search(r"\x1b\[[\d;]*[34][0-8]", "\n".join(self.terminal.screen(with_colors=True))):
            raise Failure("there are colours although NO_COLOR is set")
        self.quit()
        self.step("60×20, too small, and back; no colours with NO_COLOR")

    def ways_out(self):
        ways = {
            "q": lambda _: (self.open("2"), self.terminal.press("q")),
            "Ctrl-C": lambda _: self.terminal.press("C-c"),
            **{name: lambda pid, name=name: os.kill(pid, getattr(signal, name)) for name in (
                "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGSEGV", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS")},
        }
        for name, leave in ways.items():
            self.start()
            leave(self.pid())
            self.expect_same_modes(name)
        self.start()
        for stop in (lambda: self.terminal.press("C-z"), lambda: os.kill(self.pid(), signal.SIGTSTP)):
            stop()
            self.terminal.wait("Stopped")
            self.expect_same_modes("being stopped")
            self.terminal.type("fg\n")
            self.terminal.wait(r"\[1 Play\]", without=["fg"])
        self.quit()
        self.expect_same_modes("being continued")
        self.step(f"the terminal is as it was after {', '.join(ways)}, and while stopped by Ctrl-Z and SIGTSTP")

    def expect_same_modes(self, way):
        self.expect_prompt()
        if (modes := self.terminal.modes()) != self.modes:
            raise Failure(f"after {way} the terminal is not as it was:\n{self.modes}\n{modes}")

    def by_script(self):
        """scripts/hangman.sh: a server of its own, and a terminal that is put back also for a game that was killed."""
        self.terminal.run("true")
        empty = " ".join(f"{name}={port}" for name, port in zip(
            ("QUARTERMASTER_PORT", "QUARTERMASTER_SIMULATOR_PORT"), free_ports(2)))
        self.terminal.type(
            f"{empty} LC_ALL= LANG=de_AT.UTF-8 QUARTERMASTER_BINARY={self.world.binary} HANGMAN_BINARY={self.game} "
            f"HANGMAN_FOLDER={self.folder / 'own'} scripts/hangman.sh\n")
        self.terminal.wait("20 hints · online", "Tiere came with the game, in your language")
        self.open("3", r"Tiere +40 words +installed 1\.0\.1", r"Animals +not installed")
        pid = self.pid()
        server = int(subprocess.check_output(["pgrep", "-f", f"^{self.world.binary} serve .*/own/"]))
        os.kill(pid, signal.SIGKILL)
        self.expect_same_modes("SIGKILL by the script")
        if Path(f"/proc/{server}").exists():
            raise Failure("the script has left its server behind")
        self.step("scripts/hangman.sh: a pack in one's language, and a server that ends with the game, even if killed")

    def plain(self):
        """The commands of --plain, from a pipe."""
        def play(*lines):
            done = subprocess.run(
                [self.game, "--plain", *shlex.split(self.world.flags), "--home", self.folder / "plain"],
                input="".join(f"{line}\n" for line in lines), capture_output=True, text=True, timeout=120, check=False)
            answers = done.stdout.splitlines()
            if done.returncode != 0 or len(answers) != len([line for line in lines if line != "quit"]):
                raise Failure(f"--plain ended with {done.returncode}: {done.stdout}{done.stderr}")
            return answers
        code = play("buy com.example.hangman.ioswords", "install ios-words", "play", "hint", "code")[-1].split()[-1]
        answers = play("offline on", "hint", "status", "offline off", f"restore {code}", "status", "quit")
        status = json.loads(answers[-1])
        bundle = next(each for each in status["bundles"] if each["bundle"] == "ios-words")
        if (status["balances"], bundle["installed"], status["online"]) != ({"hints": 19}, True, True):
            raise Failure(f"the status is {status}")
        if json.loads(answers[2])["online"] or "network" not in answers[1]:
            raise Failure(f"offline, it says {answers[1:3]}")
        self.step("the same by commands, with --plain")

    # MARK: - All of it

    def begin_server(self):
        self.server.enter_context(self.world.server())
        self.world.link.open()

    def end_server(self):
        self.world.link.close()
        self.server.close()

    def buy_sample(self):
        """What somebody sees who plays with the sample: its packs are small."""
        self.begin_server()
        try:
            self.start()
            self.open("2", "Hard words")
            self.choose("Hard words", r"Hard words .* installed", "Hard words is installed")
            self.keep("sample")
            self.step("the sample's hard words are bought, and installed at once")
            self.quit()
        finally:
            self.end_server()

    def play(self):
        self.begin_server()
        try:
            self.saved_modes = self.terminal.run("stty -g")
            for part in (
                    self.first_start, self.buy_hints, self.buy_words, self.kill, self.play_hard_words, self.play_offline,
                    self.update, self.lose_a_hint, self.second_folder, self.refund, self.night_theme, self.idle,
                    self.sizes, self.ways_out, self.by_script, self.plain):
                part()
        finally:
            self.end_server()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--game", required=True)
    parser.add_argument("--pages", action="store_true", help="write the screens to the pages")
    arguments = parser.parse_args()
    screens = {}
    with folder_of("hangman", None) as folder, Terminal(folder) as terminal:
        (sample := folder / "sample").mkdir()
        Story(World(sample, arguments.server, recordings=0), terminal, arguments.game, sample, screens).buy_sample()
        Story(World(folder, arguments.server), terminal, arguments.game, folder, screens).play()
    if arguments.pages and (missing := pages.write(screens)):
        raise Failure(f"there is no such screen: {', '.join(missing)}")
    print("hangman: played to the end")


with run_of(" ✘"):
    main()
