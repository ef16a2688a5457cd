import { LATE, within } from '../../../core/within.ts';
import { isBlank, textProblem } from '../../../messages/text.ts';
import { DRAFT_NAME_MAX_CHARACTERS } from '../../../sends/drafts.ts';
import { option } from '../../kit/blocks/blocks.ts';
import { CATALOGUE_MS } from '../../kit/templates/find-template.ts';
import type { Compose } from '../compose.ts';
import { DRAFT_NAME_FIELD } from '../form/field-blocks.ts';
import type { ComposeForm } from '../form/form-view.ts';
import { drawnAnew, messageValues, type OpenForm, suggesting } from '../form/open-form.ts';
import { draftGone, draftIsIn, draftRemoved, draftSaved, NAME_THE_DRAFT } from '../sentences.ts';
import { nextRevision, redrawn } from './changes.ts';

/*
 * Drafts: what was made in a form is kept under a name by the person who made it, and used again. Recipients are no part
 * of a draft.
 */

export const handleSaveDraft = handling(async ({ kind, owner, values }, { drafts, clock }) => {
  const name = typeof values[DRAFT_NAME_FIELD] === 'string' ? values[DRAFT_NAME_FIELD].trim() : '';
  const problem = nameProblem(name);
  if (problem !== undefined) return { draftNote: problem };
  const { to: _recipient, ...kept } = messageValues(values);
  const result = await drafts.save({ owner, kind, name, values: kept, savedAt: clock.now() });
  return { draftNote: draftSaved(name, result), draft: name };
});

/** Puts a draft into the form, in the place of what it holds but for the recipients. */
export const handleUseDraft = handling(async (form, { drafts, setAside }) => {
  const { kind, owner, view, values, chosen } = form;
  const found = chosen === undefined ? undefined : await drafts.find({ owner, kind, name: chosen });
  if (found === undefined) return { draftNote: draftGone(chosen ?? '') };
  const own = new Set(Object.keys(messageValues(values)).filter((key) => key !== 'to'));
  const recipients = Object.fromEntries(Object.entries(values).filter(([key]) => !own.has(key)));
  const next = { ...recipients, ...found.values, [DRAFT_NAME_FIELD]: found.name };
  await setAside.set(view.id, next);
  const draftNote = draftIsIn(found.name);
  return { values: next, revision: nextRevision(form), draft: found.name, draftNote };
});

export const handleRemoveDraft = handling(async ({ kind, owner, metadata: { draft } }, { drafts }) => {
  if (draft === undefined) return {};
  await drafts.remove({ owner, kind, name: draft });
  return { draft: undefined, draftNote: draftRemoved(draft) };
});

/** @param change does something with the draft that a form names, and returns what it changes in the form */
function handling(
  change: (
    form: OpenForm & { readonly owner: string; readonly chosen: string | undefined },
    compose: Compose,
  ) => Promise<Partial<ComposeForm>>,
) {
  return redrawn(async (form, compose, { body, action }) => {
    const chosen = action.selected_option?.value;
    const changes = await change({ ...form, owner: body.user.id, chosen }, compose);
    return { ...(await drawnAnew(form, compose)), focus: DRAFT_NAME_FIELD, ...changes };
  });
}

/** Answers a search with the person's drafts that fit, the one saved last first. */
export const handleDraftSuggestions = suggesting('the drafts', async ({ query, kind, userId }, compose) => {
  if (kind === undefined) return [];
  const names = await within(compose.drafts.names(userId, kind), CATALOGUE_MS, compose.clock);
  if (names === LATE) return LATE;
  const fitting = names.filter((name) => name.toLowerCase().includes(query.toLowerCase()));
  return fitting.map((name) => option(name, name));
});

function nameProblem(name: string): string | undefined {
  if (isBlank(name)) return NAME_THE_DRAFT;
  if (name.length > DRAFT_NAME_MAX_CHARACTERS)
    return `The draft’s name has ${name.length} characters; at most ${DRAFT_NAME_MAX_CHARACTERS} are possible. It was not saved.`;
  return textProblem(name, { label: 'The draft’s name', lineBreaks: false });
}
