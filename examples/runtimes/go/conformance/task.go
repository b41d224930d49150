package main

// task is one try of one task, and what its handler may do.
type task struct {
	link    *link
	log     *taskLog
	id      string
	ti      message
	context message
}

// ending ends a task with a message of its own instead of success.
type ending struct{ body message }

func (e *ending) Error() string { return "the task ended itself" }

// retryError fails a task: tried again after a delay of its own, or never.
type retryError struct {
	reason       string
	afterSeconds float64
	never        bool
}

func (e *retryError) Error() string { return e.reason }

func newTask(link *link, log *taskLog, details message) *task {
	ti, _ := details["ti"].(message)
	context, _ := details["ti_context"].(message)
	id, _ := ti["task_id"].(string)
	link.carrier, _ = ti["context_carrier"].(message)
	return &task{link: link, log: log, id: id, ti: ti, context: context}
}

func (t *task) ask(kind string, body message) (message, error) {
	body["type"] = kind
	return t.link.ask(body)
}

// where adds what names this task instance.
func (t *task) where(body message, names ...string) message {
	for _, name := range names {
		body[name] = t.ti[name]
	}
	return body
}

// pull reads an XCom of a task of this run that is not mapped; nil when there is none.
func (t *task) pull(taskID any, key string) (any, error) {
	request := t.where(message{"task_id": taskID, "key": key, "map_index": nil}, "dag_id", "run_id")
	answer, err := t.ask("GetXCom", request)
	return answer["value"], err
}

func (t *task) push(key string, value any) error {
	request := message{"key": key, "value": value}
	_, err := t.ask("SetXCom", t.where(request, "dag_id", "run_id", "task_id", "map_index"))
	return err
}

func (t *task) variable(key string) (any, error) {
	answer, err := t.ask("GetVariable", message{"key": key})
	return answer["value"], err
}
