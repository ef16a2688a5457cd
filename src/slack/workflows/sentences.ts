/* A workflow's step says these when it sends nothing, or no more than a beginning. */

export const PERSON_UNKNOWN =
  'Slack did not say who runs this workflow. Nothing was sent. Run the workflow again in a minute.';
export const PERSON_FROM_ELSEWHERE =
  'Only members of the workspace that Herald is installed in may send. Nothing was sent. Ask one of them to run the workflow.';
export const INPUTS_WRONG =
  'The inputs of this step are not those that Herald declares. Nothing was sent. Add the step to the workflow again.';
export const CATALOGUE_SLOW =
  'The catalogue of templates did not answer in time. Nothing was sent. Run the workflow again in a minute.';
export const STILL_SENDING =
  'It is being sent. The result will be posted in the channel; do not send it again before you have seen it.';
export const BULK_SENDING = 'It is being sent to all of them. Progress and result are posted in the channel.';
export const BULK_WAITS =
  'It waits for an approval. Nothing was sent yet. The result will be posted in the channel.';
export const STEP_BROKE =
  'Something went wrong in Herald. Look in the channel for a result before you run the workflow again.';

export const resultRefused = (meaning: string, code: string) =>
  `${meaning} The workflow stops here, because Slack did not take the step’s result (${code}). Ask whoever runs Herald to update the app from manifest.yml.`;

export const templateMissing = (name: string) =>
  name === ''
    ? 'The step names no template. Nothing was sent. Choose one in the workflow.'
    : `There is no template “${name}” in the catalogue. Nothing was sent. Choose another in the workflow.`;

export const templateAmbiguous = (name: string) =>
  `Templates of several channels are called “${name}”. Nothing was sent. Choose one of them in the workflow.`;

export const inputsRefused = (sentences: readonly string[]) =>
  `${[...new Set(sentences)].join(' ')} Nothing was sent.`;

export const TO_AND_LIST =
  'The step has both numbers and a saved list. Nothing was sent. Leave one of the two empty in the workflow.';

export const listMissing = (name: string) =>
  `There is no saved list “${name}” any more. Nothing was sent. Choose another in the workflow.`;

export function numbersRefused(invalid: number): string {
  const numbers = invalid === 1 ? 'One of the numbers is' : `${invalid} of the numbers are`;
  return `${numbers} not valid. Nothing was sent. Correct them in the workflow.`;
}
export const NOBODY_LEFT =
  'None of the numbers can be sent to: all have opted out. Nothing was sent. Give others in the workflow.';
