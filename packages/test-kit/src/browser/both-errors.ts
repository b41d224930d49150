/**
 * A test's function, for tests that end pages with `await using`: when the test fails and its page had problems, too,
 * both are told. JavaScript itself would say only that one error hides another.
 */
export function bothErrors(run: () => Promise<void>): () => Promise<void> {
  return async () => {
    try {
      await run();
    } catch (error) {
      const { error: last, suppressed: first } = error as { error?: Error; suppressed?: Error };
      if (!(first instanceof Error)) throw error;
      throw new Error(`${first.stack}\nand then: ${last?.message}`, { cause: error });
    }
  };
}
