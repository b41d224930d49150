package main

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"time"
)

// A handler gives what is stored as return_value, nil for nothing.
type handler func(*task) (any, error)

// handlers are those that the kit asks for, by task id.
var handlers = map[string]handler{
	"succeed":         func(*task) (any, error) { return nil, nil },
	"echo":            func(t *task) (any, error) { return t.pull("source", "return_value") },
	"fail":            func(*task) (any, error) { return nil, errors.New("deliberate failure") },
	"sleep":           sleep,
	"describe":        describe,
	"read_variable":   func(t *task) (any, error) { return t.variable("conformance") },
	"write_variable":  writeVariable,
	"read_connection": readConnection,
	"write_xcom":      writeXCom,
	"missing_xcom":    missingXCom,
	"log_levels":      logLevels,
	"log_fields":      logFields,
	"log_many":        logMany,
	"log_reserved":    logReserved,
	"log_odd":         logOdd,
	"log_large":       logLarge,
	"print":           printLines,
	"many_requests":   manyRequests,
	"catch_error":     catchError,
	"fail_at_length":  func(*task) (any, error) { return nil, errors.New(strings.Repeat("x", 2000)) },
	"requests":        requests,
	"time_limit":      timeLimit,
	"bound":           bound,
	"skip":            endWith(message{"type": "TaskState", "state": "skipped"}),
	"skip_downstream": skipDownstream,
	"retry_later":     failWith(retryError{reason: "come back later", afterSeconds: 90}),
	"fail_for_good":   failWith(retryError{reason: "no retry helps", never: true}),
	"reschedule":      endWith(message{"type": "RescheduleTask", "reschedule_date": "2030-01-01T00:00:00Z"}),
}

func endWith(body message) handler {
	return func(*task) (any, error) { return nil, &ending{body} }
}

func failWith(failure retryError) handler {
	return func(*task) (any, error) { return nil, &failure }
}

func sleep(t *task) (any, error) {
	t.log.info("sleeping", nil)
	time.Sleep(time.Minute)
	return nil, nil
}

func describe(t *task) (any, error) {
	names := []string{"dag_id", "task_id", "run_id", "try_number", "map_index"}
	run, _ := t.context["dag_run"].(message)
	told := t.where(message{"conf": run["conf"], "logical_date": nil}, names...)
	if date, ok := run["logical_date"].(time.Time); ok {
		told["logical_date"] = date.UTC().Format(time.RFC3339Nano)
	}
	return told, nil
}

func writeVariable(t *task) (any, error) {
	if _, err := t.ask("PutVariable", message{"key": "conformance", "value": "written", "description": nil}); err != nil {
		return nil, err
	}
	_, err := t.ask("DeleteVariable", message{"key": "conformance_old"})
	return nil, err
}

func readConnection(t *task) (any, error) {
	found, err := t.ask("GetConnection", message{"conn_id": "conformance"})
	if err != nil {
		return nil, err
	}
	password, _ := found["password"].(string)
	told := message{"password_length": len(password)}
	for _, name := range []string{"conn_type", "host", "port", "login", "schema", "extra"} {
		told[name] = found[name]
	}
	return told, nil
}

func writeXCom(t *task) (any, error) {
	return nil, t.push("values", message{
		"text": "héllo ✓ 🚀", "number": 42, "half": 0.5, "yes": true, "nothing": nil,
		"list": []any{1, []any{2, []any{}}, message{}},
	})
}

func missingXCom(t *task) (any, error) {
	value, err := t.pull("source", "nothing_here")
	if value == nil {
		return "null", err
	}
	return "a value", err
}

func logLevels(t *task) (any, error) {
	for _, level := range []string{"debug", "info", "warning", "error", "critical"} {
		t.log.write(level, "conformance.levels", "at "+level, nil)
	}
	return nil, nil
}

func logFields(t *task) (any, error) {
	deep := fields{"list": []any{1, "two", nil}}
	t.log.info("odd: \"quotes\" \\ \n new line \x01 héllo ✓ 🚀", fields{"rows": 42, "deep": deep})
	return nil, nil
}

func logMany(t *task) (any, error) {
	for n := 0; n < 10_000; n++ {
		t.log.info("many", fields{"n": n})
	}
	return nil, nil
}

func logReserved(t *task) (any, error) {
	t.log.info("reserved", fields{"level": "nothing", "event": "another", "timestamp": 0, "logger": 1, "msg": "m", "target": "t", "self": "s"})
	return nil, nil
}

func logOdd(t *task) (any, error) {
	ring := message{}
	ring["ring"] = ring
	huge := new(big.Int).Lsh(big.NewInt(1), 80)
	failure := fmt.Errorf("the error: %w", errors.New("its cause"))
	values := []any{math.NaN(), math.Inf(1), huge, []byte{0xff}, "\xff"}
	t.log.info("odd values", fields{"n": 1, "values": values, "error": failure, "ring": ring})
	return nil, nil
}

func logLarge(t *task) (any, error) {
	t.log.info("large", fields{"text": strings.Repeat("x", 1<<20)})
	return nil, nil
}

func catchError(t *task) (any, error) {
	if value, err := t.variable("nothing_here"); err == nil {
		return value, nil
	}
	return "caught", nil
}

// requests sends what the run asks for, one after the other.
func requests(t *task) (any, error) {
	run, _ := t.context["dag_run"].(message)
	conf, _ := run["conf"].(message)
	all, _ := conf["requests"].([]any)
	for _, one := range all {
		if _, err := t.link.ask(one.(message)); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func timeLimit(t *task) (any, error) {
	_, err := t.ask("SetExecutionTimeout", message{"timeout_seconds": 60})
	return nil, err
}

func printLines(*task) (any, error) {
	fmt.Println("to stdout")
	fmt.Fprintln(os.Stderr, "to stderr")
	fmt.Print("no line ends here")
	return nil, nil
}

// manyRequests sends five before it waits for the first answer.
func manyRequests(t *task) (any, error) {
	answers := make([]<-chan message, 5)
	for n := range answers {
		request := message{"type": "GetVariable", "key": fmt.Sprintf("conformance_%d", n)}
		answer, err := t.link.send(request, false)
		if err != nil {
			return nil, err
		}
		answers[n] = answer
	}
	values := make([]any, len(answers))
	for n := range answers {
		answer, err := outcome(<-answers[n])
		if err != nil {
			return nil, err
		}
		values[n] = answer["value"]
	}
	return values, nil
}

func skipDownstream(t *task) (any, error) {
	_, err := t.ask("SkipDownstreamTasks", message{"tasks": []string{"after"}})
	return nil, err
}

// bound: the arguments of the Python call, values as they are and results of other tasks.
func bound(t *task) (any, error) {
	bindings, _ := t.context["arg_bindings"].([]any)
	arguments := message{}
	for _, one := range bindings {
		binding, _ := one.(message)
		name, _ := binding["name"].(string)
		switch binding["kind"] {
		case "literal":
			arguments[name] = binding["value"]
		case "xcom":
			value, err := t.pull(binding["task_id"], "return_value")
			if err != nil {
				return nil, err
			}
			arguments[name] = value
		default:
			return nil, fmt.Errorf("the argument %s is of a kind that is not known: %v", name, binding["kind"])
		}
	}
	return arguments, nil
}
