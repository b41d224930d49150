/**
 * Nesting that is read and written. Python's own readers refuse a little less than this many levels
 * (its recursion limit is 1,000), so a deeper row could not be read by Celery.
 */
export const MOST_LEVELS = 1000;

/** Digits of an int that Python 3.11 and later read and write as text. */
export const MOST_INT_DIGITS = 4300;
