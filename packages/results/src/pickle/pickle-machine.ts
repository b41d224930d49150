import { isPythonInt, PythonFloat } from "../values/python-float.ts";
import { ByteReader } from "./byte-reader.ts";
import { refusedGlobal, refusedOpcode } from "./refusals.ts";
import { decodeSurrogateText } from "./surrogate-text.ts";

/** A dict on the way: it may be shared before it is filled. */
export class PickleDict {
  readonly entries: [key: unknown, value: unknown][] = [];
}

/** A set or frozenset on the way. */
export class PickleSet {
  readonly items: unknown[] = [];
}

const MOST_PROTOCOL = 5;

/**
 * Runs the opcodes of plain data: None, booleans, numbers, text, bytes, lists, tuples, dicts, sets,
 * and the memo by which they are shared. Whatever imports, calls or builds is refused by name, at
 * the first such opcode. Lists and tuples come out as arrays, dicts and sets as the classes above.
 */
export class PickleMachine {
  readonly #in: ByteReader;
  readonly #wrapFloats: boolean;
  readonly #memo = new Map<number, unknown>();
  readonly #marks: number[] = [];
  #stack: unknown[] = [];

  constructor(bytes: Uint8Array, wrapFloats: boolean) {
    this.#in = new ByteReader(bytes);
    this.#wrapFloats = wrapFloats;
  }

  /** @throws RangeError for a broken pickle, SerializerError `pickle-refused` */
  run(): unknown {
    for (;;) {
      const opcode = this.#in.uint(1);
      if (opcode === 0x2e) return this.#pop();
      if (!this.#scalar(opcode) && !this.#container(opcode) && !this.#housekeeping(opcode)) {
        throw this.#refuse(opcode);
      }
    }
  }

  /** What pushes one value of its own. */
  #scalar(opcode: number): boolean {
    switch (opcode) {
      case 0x4e: // NONE
        return this.#push(null);
      case 0x88: // NEWTRUE
        return this.#push(true);
      case 0x89: // NEWFALSE
        return this.#push(false);
      case 0x49: // INT; Python 2 writes ints beyond 32 bits so, and booleans in protocol 1
        return this.#push(this.#lineInt());
      case 0x4a: // BININT
        return this.#push(this.#in.int32());
      case 0x4b: // BININT1
        return this.#push(this.#in.uint(1));
      case 0x4d: // BININT2
        return this.#push(this.#in.uint(2));
      case 0x8a: // LONG1
        return this.#push(narrow(this.#in.long(this.#in.uint(1))));
      case 0x8b: // LONG4
        return this.#push(narrow(this.#in.long(this.#in.uint(4))));
      case 0x47: // BINFLOAT
        return this.#push(this.#float(this.#in.double()));
      case 0x54: // BINSTRING of Python 2
        return this.#push(ascii(this.#in.take(this.#in.uint(4))));
      case 0x55: // SHORT_BINSTRING of Python 2
        return this.#push(ascii(this.#in.take(this.#in.uint(1))));
      case 0x58: // BINUNICODE
        return this.#push(decodeSurrogateText(this.#in.take(this.#in.uint(4))));
      case 0x8c: // SHORT_BINUNICODE
        return this.#push(decodeSurrogateText(this.#in.take(this.#in.uint(1))));
      case 0x8d: // BINUNICODE8
        return this.#push(decodeSurrogateText(this.#in.take(this.#in.uint64())));
      case 0x42: // BINBYTES
        return this.#push(Uint8Array.from(this.#in.take(this.#in.uint(4))));
      case 0x43: // SHORT_BINBYTES
        return this.#push(Uint8Array.from(this.#in.take(this.#in.uint(1))));
      case 0x8e: // BINBYTES8
      case 0x96: // BYTEARRAY8
        return this.#push(Uint8Array.from(this.#in.take(this.#in.uint64())));
      default:
        return false;
    }
  }

  #container(opcode: number): boolean {
    switch (opcode) {
      case 0x5d: // EMPTY_LIST
      case 0x29: // EMPTY_TUPLE
        return this.#push([]);
      case 0x6c: // LIST
      case 0x74: // TUPLE
        return this.#push(this.#popMark());
      case 0x85: // TUPLE1
      case 0x86: // TUPLE2
      case 0x87: // TUPLE3
        return this.#push(this.#popMany(opcode - 0x84));
      case 0x61: // APPEND
        return this.#append(this.#popMany(1));
      case 0x65: // APPENDS
        return this.#append(this.#popMark());
      case 0x7d: // EMPTY_DICT
        return this.#push(new PickleDict());
      case 0x64: // DICT
        return this.#setItems(this.#popMark(), new PickleDict());
      case 0x73: // SETITEM
        return this.#setItems(this.#popMany(2), this.#pop());
      case 0x75: // SETITEMS
        return this.#setItems(this.#popMark(), this.#pop());
      case 0x8f: // EMPTY_SET
        return this.#push(new PickleSet());
      case 0x90: // ADDITEMS
        return this.#addItems(this.#popMark(), this.#pop());
      case 0x91: // FROZENSET
        return this.#addItems(this.#popMark(), new PickleSet());
      default:
        return false;
    }
  }

  #housekeeping(opcode: number): boolean {
    switch (opcode) {
      case 0x80: // PROTO
        if (this.#in.uint(1) > MOST_PROTOCOL) throw new RangeError("its protocol is not known");
        return true;
      case 0x95: // FRAME: so many bytes belong together
        this.#in.need(this.#in.uint64());
        return true;
      case 0x28: // MARK
        this.#marks.push(this.#stack.length);
        return true;
      case 0x30: // POP
        this.#pop();
        return true;
      case 0x31: // POP_MARK
        this.#popMark();
        return true;
      case 0x32: // DUP
        return this.#push(this.#top());
      case 0x94: // MEMOIZE
        return this.#keep(this.#memo.size);
      case 0x71: // BINPUT
        return this.#keep(this.#in.uint(1));
      case 0x72: // LONG_BINPUT
        return this.#keep(this.#in.uint(4));
      case 0x68: // BINGET
        return this.#push(this.#recall(this.#in.uint(1)));
      case 0x6a: // LONG_BINGET
        return this.#push(this.#recall(this.#in.uint(4)));
      default:
        return false;
    }
  }

  #refuse(opcode: number): Error {
    if (opcode === 0x63 || opcode === 0x69) {
      return refusedGlobal(this.#in.line(), this.#in.line()); // GLOBAL, INST
    }
    if (opcode === 0x93) {
      const [module, name] = this.#popMany(2); // STACK_GLOBAL
      return refusedGlobal(module, name);
    }
    return refusedOpcode(opcode, this.#in.at - 1);
  }

  #push(value: unknown): true {
    this.#stack.push(value);
    return true;
  }

  #keep(slot: number): true {
    this.#memo.set(slot, this.#top());
    return true;
  }

  #recall(slot: number): unknown {
    if (!this.#memo.has(slot)) throw new RangeError("it recalls a value that it never kept");
    return this.#memo.get(slot);
  }

  #top(): unknown {
    if (this.#stack.length <= (this.#marks.at(-1) ?? 0)) throw new RangeError("its stack is empty");
    return this.#stack.at(-1);
  }

  #pop(): unknown {
    const value = this.#top();
    this.#stack.pop();
    return value;
  }

  #popMany(count: number): unknown[] {
    const from = this.#stack.length - count;
    if (from < (this.#marks.at(-1) ?? 0)) throw new RangeError("its stack is too small");
    return this.#stack.splice(from);
  }

  #popMark(): unknown[] {
    const mark = this.#marks.pop();
    if (mark === undefined) throw new RangeError("it lacks a mark");
    return this.#stack.splice(mark);
  }

  #append(items: readonly unknown[]): true {
    const list = this.#top();
    if (!Array.isArray(list)) throw new RangeError("it appends to what is no list");
    for (const item of items) list.push(item);
    return true;
  }

  #setItems(items: readonly unknown[], dict: unknown): true {
    if (!(dict instanceof PickleDict)) throw new RangeError("it sets items of what is no dict");
    if (items.length % 2 === 1) throw new RangeError("it sets a key without a value");
    for (let at = 0; at < items.length; at += 2) dict.entries.push([items[at], items[at + 1]]);
    return this.#push(dict);
  }

  #addItems(items: readonly unknown[], set: unknown): true {
    if (!(set instanceof PickleSet)) throw new RangeError("it adds to what is no set");
    for (const item of items) set.items.push(item);
    return this.#push(set);
  }

  #lineInt(): unknown {
    const text = this.#in.line();
    if (text === "00" || text === "01") return text === "01";
    if (!/^[+-]?\d{1,4300}$/.test(text)) throw new RangeError("it holds a line that is no int");
    return narrow(BigInt(text));
  }

  #float(value: number): number | PythonFloat {
    return this.#wrapFloats && isPythonInt(value) ? new PythonFloat(value) : value;
  }
}

function ascii(bytes: Buffer): string {
  // Python 3 reads the byte strings of Python 2 as ASCII and fails on all else
  if (bytes.some((byte) => byte > 0x7f)) throw new RangeError("a Python 2 text is not ASCII");
  return bytes.toString("latin1");
}

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
