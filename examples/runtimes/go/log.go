package main

import (
	"encoding/json"
	"net"
	"time"
)

// taskLog is the task's log: one JSON object a line. Airflow wants a level in each.
type taskLog struct{ conn net.Conn }

func dialLog(address string) (*taskLog, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &taskLog{conn}, nil
}

// write takes a level of debug, info, warning, error or critical, and fields as key, value, key, value.
// A log that is lost fails no task.
func (l *taskLog) write(level, event string, fields ...string) {
	line := map[string]string{}
	for at := 0; at+1 < len(fields); at += 2 {
		line[fields[at]] = fields[at+1]
	}
	line["timestamp"] = time.Now().UTC().Format(time.RFC3339Nano)
	line["level"] = level
	line["logger"] = "stock"
	line["event"] = event
	text, _ := json.Marshal(line) // texts always can be
	l.conn.Write(append(text, '\n'))
}
