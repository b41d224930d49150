package main

import "fmt"

// taskContext is what a task knows of itself, and what it may ask for.
type taskContext struct {
	link        *supervisorLink
	dagID       string
	runID       string
	taskID      string
	mapIndex    int64
	tryNumber   int64
	shouldRetry bool
}

func newTaskContext(link *supervisorLink, startup message) *taskContext {
	instance, _ := startup["ti"].(map[string]any)
	runContext, _ := startup["ti_context"].(map[string]any)
	context := &taskContext{link: link}
	context.dagID, _ = instance["dag_id"].(string)
	context.runID, _ = instance["run_id"].(string)
	context.taskID, _ = instance["task_id"].(string)
	context.mapIndex, _ = instance["map_index"].(int64)
	context.tryNumber, _ = instance["try_number"].(int64)
	context.shouldRetry, _ = runContext["should_retry"].(bool)
	return context
}

// variable gives an Airflow Variable.
func (c *taskContext) variable(key string) (string, error) {
	answer, err := c.link.ask(message{"type": "GetVariable", "key": key})
	if err != nil {
		return "", err
	}
	value, ok := answer["value"].(string)
	if !ok {
		return "", fmt.Errorf("the Variable %s has no value", key)
	}
	return value, nil
}

// pull gives what another task of this run, not mapped, pushed; nil when it pushed nothing.
func (c *taskContext) pull(taskID, key string) (any, error) {
	answer, err := c.link.ask(c.xcom("GetXCom", taskID, key))
	return answer["value"], err
}

func (c *taskContext) push(key string, value any) error {
	request := c.xcom("SetXCom", c.taskID, key)
	request["value"] = value
	request["map_index"] = c.mapIndex
	_, err := c.link.ask(request)
	return err
}

func (c *taskContext) xcom(kind, taskID, key string) message {
	return message{"type": kind, "dag_id": c.dagID, "run_id": c.runID, "task_id": taskID, "key": key}
}
