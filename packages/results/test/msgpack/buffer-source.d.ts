/** A name of the DOM's that @msgpack/msgpack's declarations use and Node's do not have. */
type BufferSource = ArrayBufferView | ArrayBuffer;
