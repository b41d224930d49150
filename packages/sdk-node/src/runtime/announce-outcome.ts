import type { Requester } from "../client/requester.ts";
import type { StartupDetails } from "../context.ts";
import type { Logger } from "../logs/logger.ts";
import type { OutcomeFacts } from "../outcomes/task-outcome.ts";

/** What an announcement is made with. */
export interface AnnounceParts {
  readonly details: StartupDetails;
  readonly requester: Requester;
  readonly log: Logger;
}

/**
 * What comes before the report of a task that neither succeeded nor failed: a line in its log, and
 * the question to a person, which Airflow wants to have first.
 *
 * @throws what the request throws
 */
export async function announce(facts: OutcomeFacts, parts: AnnounceParts): Promise<void> {
  const { details, log } = parts;
  switch (facts.kind) {
    case "skip":
      log.info("Task skipped", facts.reason === null ? {} : { reason: facts.reason });
      return;
    case "reschedule":
      log.info("Task rescheduled", { at: facts.at });
      return;
    case "defer":
      log.info("Task deferred", { trigger: facts.classpath, resume: facts.resumeMethod });
      return;
    case "await-input": {
      const { askPerson } = await import("./ask-person.ts");
      await askPerson(facts, details.context.taskInstanceId, parts.requester);
      log.info("Task waits for an answer", { subject: facts.subject });
    }
  }
}
