// Conformance is a runtime for the cases of Parlance's conformance kit: conformance --comm=HOST:PORT --logs=HOST:PORT.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	comm := flag.String("comm", "", "`HOST:PORT` of the supervisor's requests")
	logs := flag.String("logs", "", "`HOST:PORT` of the supervisor's task log")
	flag.Parse()
	if err := serve(*comm, *logs); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

// serve returns an error only when nothing could be reported: every end that was told is exit code 0.
func serve(comm, logs string) error {
	log := newLog()
	for n := 0; n < 3; n++ {
		log.info("early", fields{"n": n})
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	link, err := openLink(comm)
	if err != nil {
		return err
	}
	if err := log.connect(logs); err != nil {
		return err
	}
	var first message
	select {
	case first = <-link.first:
	case <-stop: // nothing is begun, and nothing can be reported
		return errors.New("stopped by SIGTERM before there was a task")
	}
	details, err := outcome(first)
	if err != nil {
		return err
	}
	if details["type"] == "DagFileParseRequest" { // Airflow 3.4 asks every bundle: no Dags here
		return noDags(link, details)
	}
	task := newTask(link, log, details)
	ended := make(chan error, 1)
	go func() { ended <- task.perform() }()
	var failure error
	select {
	case failure = <-ended:
	case <-stop: // whatever the handler does, the task ends
		failure = errors.New("stopped by SIGTERM")
	}
	if err := task.report(failure); err != nil {
		return err
	}
	log.info("late", nil)
	return nil
}

func noDags(link *link, request message) error {
	body := message{"type": "DagFileParsingResult", "fileloc": request["file"], "serialized_dags": []any{}, "warnings": nil, "import_errors": nil}
	answer, err := link.send(body, true)
	if err != nil {
		return err
	}
	_, err = outcome(<-answer)
	return err
}

// perform runs the handler and stores what it returns; a panic is a failure like any other.
func (t *task) perform() (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	stale, _ := t.context["xcom_keys_to_clear"].([]any)
	for _, key := range stale {
		if _, err := t.ask("DeleteXCom", t.where(message{"key": key}, "dag_id", "run_id", "task_id")); err != nil {
			return err
		}
	}
	run, ok := handlers[t.id]
	if !ok {
		return &ending{message{"type": "TaskState", "state": "removed"}}
	}
	result, err := run(t)
	if err != nil || result == nil {
		return err
	}
	return t.push("return_value", result)
}

// report sends the one terminal message. When it returns nil, the supervisor has confirmed it.
func (t *task) report(failure error) error {
	end := message{"type": "SucceedTask", "task_outlets": []any{}, "outlet_events": []any{}}
	var own *ending
	var retry *retryError
	if errors.As(failure, &own) {
		end = own.body
	} else if failure != nil {
		t.log.write("error", "conformance", "Task failed", fields{"error": failure.Error()})
		end = message{"type": "TaskState", "state": "failed"}
		asked := errors.As(failure, &retry)
		// Whether a try is left, the server has worked out.
		if t.context["should_retry"] == true && !(asked && retry.never) {
			reason := []rune(failure.Error())
			end = message{"type": "RetryTask", "retry_reason": string(reason[:min(500, len(reason))])}
			if asked {
				end["retry_delay_seconds"] = retry.afterSeconds
			}
		}
	}
	end["end_date"] = now()
	answer, err := t.link.send(end, true)
	if err != nil {
		return err
	}
	_, err = outcome(<-answer)
	return err
}
