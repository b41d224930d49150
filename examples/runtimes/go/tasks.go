package main

import (
	"errors"
	"fmt"
)

type taskName struct{ dagID, taskID string }

// task gives what is pushed as return_value, nil for nothing. An error fails the task: it is tried again
// while tries are left.
type task func(*taskContext, *taskLog) (any, error)

// tasks has the names of the Dag file; bundle.yaml tells Airflow of the Dag.
var tasks = map[taskName]task{
	{"stock", "count"}: count,
	{"stock", "order"}: order,
}

type stockCount struct {
	Warehouse string `msgpack:"warehouse"`
	Kettles   int    `msgpack:"kettles"`
}

func count(context *taskContext, log *taskLog) (any, error) {
	warehouse, err := context.variable("warehouse")
	if err != nil {
		return nil, err
	}
	log.write("info", "Counting", "warehouse", warehouse)
	return stockCount{Warehouse: warehouse, Kettles: 7}, nil
}

// order: the supplier never answers the first time.
func order(context *taskContext, log *taskLog) (any, error) {
	value, err := context.pull("count", "return_value")
	if err != nil {
		return nil, err
	}
	if context.tryNumber == 1 {
		return nil, errors.New("the supplier does not answer")
	}
	counted, _ := value.(map[string]any)
	kettles, ok := counted["kettles"].(int64)
	if !ok {
		return nil, fmt.Errorf("count returned %v", value)
	}
	return 10 - kettles, nil
}
