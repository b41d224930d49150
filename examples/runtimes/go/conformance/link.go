package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"github.com/vmihailenco/msgpack/v5"
)

const maxFrameBytes = 256 << 20

type message = map[string]any

// link carries frames: a 4-byte length, big-endian, then [id, body] out and [id, body, error] in.
type link struct {
	conn    net.Conn
	first   <-chan message
	mutex   sync.Mutex
	nextID  int64
	lastID  int64
	waiting map[int64]chan message
	carrier message // the trace that the task is part of
}

// openLink begins to listen. The first frame, which nobody asks for, has the id 0.
func openLink(address string) (*link, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	first := make(chan message, 1)
	l := &link{conn: conn, first: first, lastID: -1, waiting: map[int64]chan message{0: first}}
	go l.listen()
	return l, nil
}

// listen gives answers to those who wait, in whatever order they come. Without a supervisor nothing can be
// reported: the process ends, not with 0.
func (l *link) listen() {
	reader := bufio.NewReader(l.conn)
	for {
		id, body, err := receive(reader)
		if err != nil {
			fmt.Fprintln(os.Stderr, "nothing more can be reported:", err)
			os.Exit(1)
		}
		l.mutex.Lock()
		if answer, ok := l.waiting[id]; ok { // what nobody asked for is ignored
			answer <- body
			delete(l.waiting, id)
		}
		last := id == l.lastID
		l.mutex.Unlock()
		if last {
			return
		}
	}
}

func receive(reader io.Reader) (int64, message, error) {
	var header [4]byte
	if _, err := io.ReadFull(reader, header[:]); err != nil {
		return 0, nil, err
	}
	length := binary.BigEndian.Uint32(header[:])
	if length > maxFrameBytes {
		return 0, nil, fmt.Errorf("a frame of %d bytes", length)
	}
	payload := make([]byte, length)
	if _, err := io.ReadFull(reader, payload); err != nil {
		return 0, nil, err
	}
	decoder := msgpack.NewDecoder(bytes.NewReader(payload))
	decoder.UseLooseInterfaceDecoding(true) // all integers as int64 or uint64
	parts, err := decoder.DecodeSlice()
	if err != nil {
		return 0, nil, err
	}
	parts = append(parts, nil, nil, nil) // what is missing is null, what is more is ignored
	var id int64
	switch number := parts[0].(type) { // by the format that the sender has chosen
	case int64:
		id = number
	case uint64:
		id = int64(number)
	default:
		return 0, nil, fmt.Errorf("%v is no id of a frame", number)
	}
	body, _ := parts[1].(message)
	if refusal, failed := parts[2].(message); failed { // errors come in both places
		body = message{"type": "ErrorResponse", "error": refusal["error"], "detail": refusal["detail"]}
	}
	return id, body, nil
}

// send gives the channel on which the answer comes.
func (l *link) send(body message, last bool) (<-chan message, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.nextID++
	answer := make(chan message, 1)
	l.waiting[l.nextID] = answer
	if last {
		l.lastID = l.nextID
	}
	var frame bytes.Buffer
	frame.Write(make([]byte, 4))
	parts := []any{l.nextID, body}
	if l.carrier != nil {
		parts = append(parts, l.carrier)
	}
	if err := msgpack.NewEncoder(&frame).Encode(parts); err != nil {
		return nil, err
	}
	binary.BigEndian.PutUint32(frame.Bytes(), uint32(frame.Len()-4))
	_, err := l.conn.Write(frame.Bytes())
	return answer, err
}

func (l *link) ask(body message) (message, error) {
	answer, err := l.send(body, false)
	if err != nil {
		return nil, err
	}
	return outcome(<-answer)
}

// outcome tells a result, which is empty for many requests, from an error.
func outcome(body message) (message, error) {
	if body["type"] == "ErrorResponse" {
		return nil, fmt.Errorf("%v: %v", body["error"], body["detail"])
	}
	return body, nil
}
