"""A terminal with a shell in it, whose screen is looked at: tmux."""

import os
import re
import shlex
import subprocess
import time

from failure import Failure

WITHIN = 30  # seconds, for a text to appear
LOOKS = 0.05  # seconds between two looks at the screen
PROMPT = "ready> "


class Terminal:
    """One shell in a tmux server of its own, which ends with the block."""

    def __init__(self, folder, columns=80, rows=24):
        self.socket = folder / "tmux"
        self.size = columns, rows
        self.commands = 0
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in ("TMUX", "NO_COLOR")},
            "LC_ALL": "C.UTF-8", "COLORTERM": "truecolor"}

    def __enter__(self):
        columns, rows = map(str, self.size)
        self.tmux("new-session", "-d", "-x", columns, "-y", rows, f"env PS1='{PROMPT}' bash --norc --noprofile --noediting")
        self.tmux("set-option", "-g", "default-terminal", "tmux-256color")
        self.tmux("set-option", "-g", "remain-on-exit", "on")
        self.tmux("set-option", "-g", "escape-time", "0")
        self.wait(PROMPT.strip())
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], stderr=subprocess.DEVNULL, check=False)

    def tmux(self, *arguments):
        done = subprocess.run(
            ["tmux", "-f", "/dev/null", "-S", self.socket, *arguments], env=self.environment, capture_output=True,
            text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"tmux {shlex.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def screen(self, with_colors=False):
        """What is to be seen, line by line."""
        return self.tmux("capture-pane", "-p", *(["-e"] if with_colors else [])).rstrip("\n").split("\n")

    def text(self):
        return "\n".join(self.screen())

    def press(self, *keys):
        """Keys by tmux's names: Enter, Down, C-c; or single characters."""
        self.tmux("send-keys", *keys)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def wait(self, *patterns, without=(), within=WITHIN):
        """Waits until each regular expression is found on the screen, and none of the others. Returns the last match."""
        deadline = time.monotonic() + within
        while True:
            text = self.text()
            found = [re.search(pattern, text) for pattern in patterns]
            hidden = [pattern for pattern in without if re.search(pattern, text)]
            if all(found) and not hidden:
                return found[-1] if found else None
            if time.monotonic() > deadline:
                missing = [pattern for pattern, match in zip(patterns, found) if not match]
                raise Failure(f"not on the screen within {within} s: {missing}; still there: {hidden}\n{text}")
            time.sleep(LOOKS)

    def run(self, command):
        """Runs a command in the shell, and returns what it prints."""
        self.commands += 1
        # What is typed is on the screen too, and has another form.
        self.type(f"clear; {command}; echo done-$(({self.commands}))\n")
        end = f"done-{self.commands}"
        self.wait(rf"(?m)^{end}$")
        # Lines that were wrapped are one again.
        return self.tmux("capture-pane", "-p", "-J").split(end)[0].strip()

    def modes(self):
        """What the terminal is set to."""
        return self.run("stty -a")

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def has_another_screen(self):
        return self.tmux("display-message", "-p", "#{alternate_on}").strip() == "1"
