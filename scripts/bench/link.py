"""A connection to the server on which bytes are counted, slow where it is to be."""

import socket
import threading
import time

PIECE = 16 << 10  # bytes


class Link:
    """Hands on what comes, answers not faster than `rate` bytes a second."""

    def __init__(self, port, target, rate=None):
        self.port, self.target, self.rate = port, target, rate
        self.sent = self.received = self.swallowed = 0
        # When anything was handed on last.
        self.last = time.monotonic()
        # Whether answers are lost on their way.
        self.is_mute = False
        self.lock = threading.Lock()
        self.connections = set()
        self.listener = None

    def open(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def close(self):
        """Nobody listens there any more. The second time nothing happens."""
        if self.listener is None:
            return
        # A thread that waits in accept keeps the socket.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.listener = None

    def accept(self, listener):
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            self.connections |= {client, server}
            threading.Thread(target=self.hand_on, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self.hand_on, args=(server, client, True), daemon=True).start()

    def hand_on(self, source, sink, is_answer):
        try:
            while piece := source.recv(PIECE):
                if is_answer and self.is_mute:
                    self.swallowed += len(piece)
                    continue
                self.count(len(piece), is_answer)
                sink.sendall(piece)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.connections -= {source, sink}

    def count(self, count, is_answer):
        """All connections share the rate."""
        with self.lock:
            self.last = time.monotonic()
            self.received += count * is_answer
            self.sent += count * (not is_answer)
            if is_answer and self.rate:
                time.sleep(count / self.rate)
