// Stock runs the one task that a supervisor of Airflow asks for: stock --comm=HOST:PORT --logs=HOST:PORT.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	comm := flag.String("comm", "", "`HOST:PORT` of the supervisor's requests")
	logs := flag.String("logs", "", "`HOST:PORT` of the supervisor's task log")
	flag.Parse()
	if err := serve(*comm, *logs); err != nil {
		fmt.Fprintln(os.Stderr, "stock:", err)
		os.Exit(1)
	}
}

// serve returns an error only when nothing could be reported: every end that was told is exit code 0.
func serve(comm, logs string) error {
	if comm == "" || logs == "" {
		return errors.New("--comm and --logs are missing: a supervisor starts this program")
	}
	// Both stay open until the process is gone: what the supervisor waits for is its end.
	link, err := dial(comm)
	if err != nil {
		return err
	}
	log, err := dialLog(logs)
	if err != nil {
		return err
	}
	first, err := link.receiveFirst()
	if err != nil {
		return err
	}
	switch first["type"] {
	case "StartupDetails":
		return runTask(link, log, first)
	case "DagFileParseRequest":
		return offerNoDags(link, first)
	}
	return fmt.Errorf("the supervisor began with %v", first["type"])
}

func runTask(link *supervisorLink, log *taskLog, startup message) error {
	context := newTaskContext(link, startup)
	failure := attempt(context, log)
	var lost *linkLostError
	if errors.As(failure, &lost) {
		return failure
	}
	end := message{"type": "SucceedTask", "state": "success"}
	if failure != nil {
		log.write("error", "The task failed", "error", failure.Error())
		end = message{"type": "TaskState", "state": "failed"}
		// Whether a try is left, the server has worked out.
		if context.shouldRetry {
			end = message{"type": "RetryTask", "state": "up_for_retry"}
		}
	}
	end["end_date"] = time.Now().UTC().Format(time.RFC3339Nano)
	_, err := link.ask(end)
	return err
}

// attempt runs the task and pushes what it returns; a panic is a failure like any other.
func attempt(context *taskContext, log *taskLog) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	run, ok := tasks[taskName{context.dagID, context.taskID}]
	if !ok {
		return fmt.Errorf("there is no task %s of the Dag %s in this program", context.taskID, context.dagID)
	}
	result, err := run(context, log)
	if err != nil || result == nil {
		return err
	}
	return context.push("return_value", result)
}

// offerNoDags answers Airflow 3.4, which asks every runtime for Dags of its own.
func offerNoDags(link *supervisorLink, request message) error {
	_, err := link.ask(message{
		"type": "DagFileParsingResult", "fileloc": request["file"], "serialized_dags": []any{},
	})
	return err
}
