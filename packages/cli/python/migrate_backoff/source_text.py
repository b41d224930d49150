"""The text of a Python file, and where in it a node of its tree stands."""

import io
import itertools
import re
import tokenize

# What Python takes for the end of a line; str.splitlines knows many more.
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


class Refused(Exception):
    """This file can't be changed safely."""


class SourceText:
    """The decoded source; positions of the tree, which count UTF-8 bytes of a line, lead into it."""

    def __init__(self, source):
        self.encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        self.source = source
        self.text = source.decode(self.encoding)
        if self.encode(self.text) != source:
            raise Refused(f"its text in {self.encoding} can't be written back byte for byte")
        self.lines = LINE.findall(self.text)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.columns = {}

    def encode(self, text):
        return text.encode(self.encoding)

    def column(self, line, offset):
        if self.lines[line - 1].isascii():
            return offset
        if line not in self.columns:  # once a line: one line can be the whole file
            sizes = (len(letter.encode("utf-8", "surrogatepass")) for letter in self.lines[line - 1])
            ends = itertools.accumulate(sizes, initial=0)
            self.columns[line] = {end: column for column, end in enumerate(ends)}
        return self.columns[line][offset]

    def span(self, node):
        start = self.starts[node.lineno - 1] + self.column(node.lineno, node.col_offset)
        end = self.starts[node.end_lineno - 1] + self.column(node.end_lineno, node.end_col_offset)
        return start, end

    def token(self, node):
        start, end = self.span(node)
        return self.text[start:end]

    def excerpt(self, node):
        words = " ".join(self.token(node).split())
        return words if len(words) <= 60 else words[:57] + "..."

    def place(self, node):
        return {"line": node.lineno, "column": self.column(node.lineno, node.col_offset) + 1}

    def replaced(self, edits):
        """The bytes of the file with other text in the place of nodes: (node, text), in order of position."""
        pieces, at = [], 0
        for node, words in edits:
            start, end = self.span(node)
            pieces += [self.text[at:start], words]
            at = end
        return self.encode("".join(pieces) + self.text[at:])
