/** What a workflow's step says when it sends nothing, or no more than a beginning. */

export const PERSON_UNKNOWN =
  'Slack did not say who runs this workflow. Nothing was sent. Run the workflow again in a minute.';
export const PERSON_FROM_ELSEWHERE =
  'Only members of the workspace that Herald is installed in may send. Nothing was sent. Ask one of them to run the workflow.';
export const INPUTS_WRONG =
  'The inputs of this step are not those that Herald declares. Nothing was sent. Add the step to the workflow again.';
export const CATALOGUE_SLOW =
  'The catalogue of templates did not answer in time. Nothing was sent. Run the workflow again in a minute.';
export const KIND_WRONG =
  'The kind of a template is chatapp or rcs. Nothing was sent. Correct it in the workflow.';
export const STILL_SENDING =
  'It is being sent. The result will be posted in the channel; do not send it again before you have seen it.';
export const BULK_SENDING = 'It is being sent to all of them. Progress and result are posted in the channel.';
export const BULK_WAITS =
  'It waits for an approval. Nothing was sent yet. The result will be posted in the channel.';
export const STEP_BROKE =
  'Something went wrong in Herald. Look in the channel for a result before you run the workflow again.';

export function resultRefused(meaning: string, code: string): string {
  return `${meaning} The workflow stops here, because Slack did not take the step’s result (${code}). Ask whoever runs Herald to update the app from manifest.yml.`;
}

export function templateMissing(name: string): string {
  return name === ''
    ? 'The step names no template. Nothing was sent. Enter one in the workflow.'
    : `There is no template “${name}” in the catalogue. Nothing was sent. Correct its name in the workflow.`;
}

export function templateAmbiguous(name: string): string {
  return `Both a chat-app and an RCS template are called “${name}”. Nothing was sent. Say which kind in the workflow.`;
}

export function inputsRefused(sentences: readonly string[]): string {
  return `${[...new Set(sentences)].join(' ')} Nothing was sent.`;
}

export function numbersRefused(invalid: number): string {
  const numbers = invalid === 1 ? 'One of the numbers is' : `${invalid} of the numbers are`;
  return `${numbers} not valid. Nothing was sent. Correct them in the workflow.`;
}
export const NOBODY_LEFT =
  'None of the numbers can be sent to: all have opted out. Nothing was sent. Give others in the workflow.';
