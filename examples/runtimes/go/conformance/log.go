package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

var levels = map[string]int{"debug": 10, "info": 20, "warning": 30, "error": 40, "critical": 50}

type fields = map[string]any

// taskLog is one JSON object a line. Until there is a connection, lines wait here, in order.
type taskLog struct {
	mutex      sync.Mutex
	conn       net.Conn
	early      []byte
	level      int
	namespaces map[string]int
}

// newLog reads the levels that the deployment wants: the runtime itself drops what is below.
func newLog() *taskLog {
	log := &taskLog{level: levels["info"], namespaces: map[string]int{}}
	if level, ok := levels[strings.ToLower(os.Getenv("AIRFLOW__LOGGING__LOGGING_LEVEL"))]; ok {
		log.level = level
	}
	separators := func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }
	for _, rule := range strings.FieldsFunc(os.Getenv("AIRFLOW__LOGGING__NAMESPACE_LEVELS"), separators) {
		name, wanted, _ := strings.Cut(rule, "=")
		if level, ok := levels[strings.ToLower(wanted)]; ok {
			log.namespaces[name] = level
		}
	}
	return log
}

// threshold is the level of the nearest name above a logger, else that of the deployment.
func (l *taskLog) threshold(logger string) int {
	for logger != "" {
		if level, ok := l.namespaces[logger]; ok {
			return level
		}
		logger = logger[:max(0, strings.LastIndex(logger, "."))]
	}
	return l.level
}

// write never fails a task: a log may be lost.
func (l *taskLog) write(level, logger, event string, more fields) {
	if levels[level] < l.threshold(logger) {
		return
	}
	line := fields{}
	for key, value := range more {
		if key == "msg" || key == "target" || key == "self" { // Airflow breaks on these
			key += "_"
		}
		line[key] = plain(value, 0)
	}
	line["timestamp"] = now()
	line["level"], line["logger"], line["event"] = level, logger, event
	text, err := json.Marshal(line)
	if err != nil {
		return
	}
	text = append(text, '\n')
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.conn == nil {
		l.early = append(l.early, text...)
	} else {
		l.conn.Write(text)
	}
}

// plain makes JSON of what has no place in it.
func plain(value any, depth int) any {
	if depth > 20 {
		return "…"
	}
	switch given := value.(type) {
	case error:
		return given.Error()
	case float64:
		if math.IsNaN(given) || math.IsInf(given, 0) {
			return fmt.Sprint(given)
		}
	case []any:
		list := make([]any, len(given))
		for n, item := range given {
			list[n] = plain(item, depth+1)
		}
		return list
	case fields:
		inner := fields{}
		for key, item := range given {
			inner[key] = plain(item, depth+1)
		}
		return inner
	}
	return value
}

func (l *taskLog) info(event string, more fields) { l.write("info", "conformance", event, more) }

func (l *taskLog) connect(address string) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.conn = conn
	_, err = conn.Write(l.early)
	return err
}

func now() string { return time.Now().UTC().Format(time.RFC3339Nano) }
