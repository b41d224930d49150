package parlance.stock;

/** The work of one task. */
@FunctionalInterface
interface Task {
    /**
     * @return what is pushed as {@code return_value}; null for nothing
     * @throws Exception the task failed: it is tried again while tries are left
     */
    Object run(TaskContext context, TaskLog log) throws Exception;
}
