/** Slack gives a submission three seconds; the way there and back takes some of them. */
export const ANSWER_MS = 2000;

/** However long the steps before took, storing the send gets a moment. */
export const LEAST_SUBMIT_MS = 200;
