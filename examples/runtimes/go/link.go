package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"

	"github.com/vmihailenco/msgpack/v5"
)

// A longer frame is taken for nonsense on the link.
const maxFrameBytes = 256 << 20

// message is the body of a frame; its "type" names it.
type message map[string]any

// linkLostError: the supervisor can't be reached any more, so that nothing can be reported.
type linkLostError struct{ cause error }

func (e *linkLostError) Error() string { return "the supervisor has gone: " + e.cause.Error() }
func (e *linkLostError) Unwrap() error { return e.cause }

// supervisorLink carries frames: a 4-byte length, then a MessagePack list [id, body, error].
type supervisorLink struct {
	conn   net.Conn
	reader *bufio.Reader
	nextID int64
}

func dial(address string) (*supervisorLink, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &supervisorLink{conn: conn, reader: bufio.NewReader(conn)}, nil
}

// receiveFirst gives the frame that the supervisor sends without being asked.
func (l *supervisorLink) receiveFirst() (message, error) {
	frame, err := l.receive()
	if err != nil {
		return nil, err
	}
	return frame.outcome()
}

// ask sends a request and waits for its answer, which is empty for many.
func (l *supervisorLink) ask(request message) (message, error) {
	id := l.nextID
	l.nextID++
	if err := l.send([]any{id, request}); err != nil {
		return nil, err
	}
	frame, err := l.receive()
	if err != nil {
		return nil, err
	}
	if frame.id != id {
		return nil, &linkLostError{fmt.Errorf("request %d was answered as %d", id, frame.id)}
	}
	return frame.outcome()
}

func (l *supervisorLink) send(frame []any) error {
	var out bytes.Buffer
	out.Write(make([]byte, 4))
	if err := msgpack.NewEncoder(&out).Encode(frame); err != nil {
		return err
	}
	binary.BigEndian.PutUint32(out.Bytes(), uint32(out.Len()-4))
	if _, err := l.conn.Write(out.Bytes()); err != nil {
		return &linkLostError{err}
	}
	return nil
}

func (l *supervisorLink) receive() (*answer, error) {
	var header [4]byte
	if _, err := io.ReadFull(l.reader, header[:]); err != nil {
		return nil, &linkLostError{err}
	}
	length := binary.BigEndian.Uint32(header[:])
	if length == 0 || length > maxFrameBytes {
		return nil, &linkLostError{fmt.Errorf("a frame of %d bytes", length)}
	}
	payload := make([]byte, length)
	if _, err := io.ReadFull(l.reader, payload); err != nil {
		return nil, &linkLostError{err}
	}
	frame, err := decodeAnswer(payload)
	if err != nil {
		return nil, &linkLostError{err}
	}
	return frame, nil
}

// answer is a frame of the supervisor.
type answer struct {
	id    int64
	body  message
	error message
}

func decodeAnswer(payload []byte) (*answer, error) {
	decoder := msgpack.NewDecoder(bytes.NewReader(payload))
	decoder.UseLooseInterfaceDecoding(true) // all integers as int64 or uint64
	length, err := decoder.DecodeArrayLen()
	if err != nil {
		return nil, err
	}
	var frame answer
	parts := []any{&frame.id, &frame.body, &frame.error}
	if length < 2 {
		return nil, fmt.Errorf("a frame of %d parts", length)
	}
	for _, part := range parts[:min(length, len(parts))] { // what a later supervisor adds is not for us
		if err := decoder.Decode(part); err != nil {
			return nil, err
		}
	}
	return &frame, nil
}

// outcome tells body from error, which comes in both places.
func (a *answer) outcome() (message, error) {
	refusal := a.error
	if refusal == nil && a.body["type"] == "ErrorResponse" {
		refusal = a.body
	}
	if refusal != nil {
		return nil, fmt.Errorf("%v: %v", refusal["error"], refusal["detail"])
	}
	return a.body, nil
}
