import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { given } from '../../core/given.ts';
import { fact } from '../../messages/kinds/kind.ts';
import { describePlaceholder, SMS_FACTS, templateDifferences } from '../../messages/templates/differences.ts';
import { paramFields } from '../../messages/templates/field.ts';
import { templateKindLabel, templateKindOf } from '../../messages/templates/form.ts';
import { HIDDEN_PASSWORD, renderTemplate } from '../../messages/templates/preview.ts';
import { languageLabel, type Template } from '../../messages/templates/template.ts';
import { markSentence, type Warning, warningOf } from '../../sends/templates/mark.ts';
import {
  keyOf,
  type StoredTemplate,
  type TemplateAction,
  type TemplateChange,
  type TemplateKey,
  templateDoubt,
} from '../../sends/templates/store.ts';
import { escapeMrkdwn, literalMrkdwn, showInvisible } from '../connection/escape.ts';
import { LIMITS, truncate } from '../connection/limits.ts';
import {
  actions,
  button,
  context,
  factsSection,
  header,
  moment,
  saying,
  sayingView,
  section,
} from '../kit/blocks/blocks.ts';
import { quote } from '../kit/cards/message-blocks.ts';
import type { ClickHandler, OpenView, SubmissionHandler } from '../kit/clicks/arguments.ts';
import { formBlocks } from '../kit/forms/form-blocks.ts';
import { previewBlocks, withParts } from '../kit/forms/preview-blocks.ts';
import { errors, type FormValues, readState } from '../kit/forms/read-state.ts';
import { showing } from '../kit/views/answer-late.ts';
import { eventIn } from '../kit/views/view-updates.ts';
import { ALL_ACTION } from './list.ts';
import { comparison, GONE, VALUES_FIT } from './sentences.ts';
import {
  above,
  byWhom,
  type Carried,
  type Catalogue,
  carriedIn,
  carry,
  channelOf,
  inPlace,
  noteBlocks,
  ofLooked,
  readDoubted,
  sendsBlock,
  shell,
  whyNot,
} from './windows.ts';

const LOOK_VIEW = 'template_look';
export const EDIT_ACTION = 'template_edit';
export const TRY_ACTION = 'template_try';
export const DUPLICATE_ACTION = 'template_duplicate';
export const ARCHIVE_ACTION = 'template_archive';
export const APPROVED_ACTION = 'template_approved';
export const HISTORY_ACTION = 'template_history';

/** The template to look at, with the code of the result that led here. */
type Look = Carried<'look'> & { readonly note?: string };

export async function lookView(look: Look, { templates, clock }: Catalogue): Promise<ModalView> {
  const { key, channelId, code, note } = look;
  const stored = await templates.look(key);
  if (stored === undefined) return sayingView('Templates', GONE);
  const sends = await templates.unsentSends(key);
  const { template, mark, revision, changedBy, changedAt } = stored;
  const warning = warningOf(mark, clock.now());
  return shell({
    callbackId: LOOK_VIEW,
    title: 'Template',
    metadata: carry('look', { channelId, key: keyOf(key), code }),
    blocks: [
      ...noteBlocks(note),
      ...noteOn(code, template),
      header(template.label),
      facts(stored, warning),
      ...readingBlocks(template),
      ...placeholderBlocks(template),
      ...(sends.length === 0 ? [] : [context('Sends of it that have not begun:'), sendsBlock(sends)]),
      ...buttons(stored, warning !== undefined),
      context(`${revision === 1 ? 'Added' : 'Last changed'} ${byWhom(changedBy)}, ${moment(changedAt)}`),
    ],
  });
}

function noteOn(code: string | undefined, template: Template): KnownBlock[] {
  const doubt = templateDoubt(code);
  return doubt && code ? [saying(comparison(doubt, code, template), 'comparison')] : [];
}

function facts({ template, archived }: StoredTemplate, warning: Warning | undefined): KnownBlock {
  const { name, languages, cards } = template;
  return factsSection([
    { label: 'Name', value: name },
    { label: 'Kind', value: templateKindLabel(templateKindOf(template)) },
    { label: 'State', value: archived ? 'Archived: not offered in forms' : 'Offered in forms' },
    ...(warning === undefined ? [] : [{ label: 'At the service', value: markSentence(warning) }]),
    ...(template.channel === 'rcs'
      ? []
      : [{ label: 'Languages', value: languages.map(languageLabel).join(', ') || 'Not listed' }]),
    ...(template.channel === 'sms' ? SMS_FACTS.flatMap(([label, key]) => fact(label, template[key])) : []),
    ...(cards > 0 ? [{ label: 'Cards', value: String(cards) }] : []),
  ]);
}

function readingBlocks(template: Template): KnownBlock[] {
  const values =
    template.variant === 'otp' ? [HIDDEN_PASSWORD] : template.placeholders.map(({ example }) => example);
  const text = truncate(showInvisible(renderTemplate(template, values)), LIMITS.sectionText);
  return [context('As the recipient reads it, with the examples'), { ...quote(text), block_id: 'reading' }];
}

function placeholderBlocks({ placeholders }: Template): KnownBlock[] {
  const lines = placeholders.map((one, index) => `{{${index + 1}}} ${describePlaceholder(one)}`);
  return lines.length === 0 ? [] : [saying(lines.join('\n'), 'placeholders')];
}

function buttons({ template, archived }: StoredTemplate, isMarked: boolean): KnownBlock[] {
  const key = keyOf(template);
  const change = archived
    ? [button(ARCHIVE_ACTION, 'Restore', key, { style: 'primary' })]
    : [
        button(EDIT_ACTION, 'Edit', key, { style: 'primary' }),
        button(TRY_ACTION, 'Try it', key),
        button(DUPLICATE_ACTION, 'Duplicate', key),
        button(ARCHIVE_ACTION, 'Archive', key, { style: 'danger' }),
        ...(isMarked ? [button(APPROVED_ACTION, 'It is approved again', key)] : []),
      ];
  const others = [button(HISTORY_ACTION, 'History', key), button(ALL_ACTION, 'All templates', 'all')];
  return actions([...change, ...others], 'template');
}

/** Look in the list, or “Look at the template” below a result. */
export const handleLook = above(async (args, catalogue) => {
  const { key, code } = readDoubted(args.action.value);
  const channelId = channelOf(args);
  return key ? lookView({ key, code, channelId }, catalogue) : sayingView('Templates', GONE);
});

/** Takes the mark away: whoever may change templates says that the service takes this one again. */
export const handleApproved = inPlace(
  ofLooked(async ({ stored, channelId }, catalogue, { body }) => {
    const key = stored.template;
    const refusal = await whyNot(body.user.id, channelId, catalogue);
    if (refusal === undefined) await catalogue.templates.approvedAgain(key);
    const note =
      refusal ?? 'Marked as approved. Sends that wait because of it can be resumed on their cards.';
    return lookView({ key, channelId, note }, catalogue);
  }),
);

const HISTORY_VIEW = 'template_history';
export const OLDER_ACTION = 'template_older';

const PAGE = 15;
const SHOWN_VALUE = 200;

const WORDS: Readonly<Record<TemplateAction, string>> = {
  added: 'Added',
  edited: 'Edited',
  archived: 'Archived',
  restored: 'Restored',
};
async function historyView(
  key: TemplateKey,
  channelId: string | undefined,
  { templates }: Catalogue,
  before?: number,
): Promise<ModalView> {
  // One more than is shown: each change is shown by its differences from the one before.
  const changes = await templates.history(key, PAGE + 1, before);
  const oldest = changes.length > PAGE ? changes[PAGE - 1] : undefined;
  return shell({
    callbackId: HISTORY_VIEW,
    title: 'History',
    metadata: carry('look', { channelId, key: keyOf(key) }),
    blocks: [
      saying(`What was done to “${key.name}”, newest first.`, 'opening'),
      ...changes.slice(0, PAGE).map((change, index) => line(change, changes[index + 1])),
      ...actions(
        oldest === undefined ? [] : [button(OLDER_ACTION, 'Show older', String(oldest.revision))],
        'older',
      ),
    ],
  });
}

function line(change: TemplateChange, before: TemplateChange | undefined): KnownBlock {
  const { action, source, actor, at, template } = change;
  const differences = before === undefined ? [] : templateDifferences(before.template, template);
  const lines = differences.map(
    ({ what, before: was, after: is }) =>
      `• ${escapeMrkdwn(what)}: ${literalMrkdwn(was, SHOWN_VALUE)} → ${literalMrkdwn(is, SHOWN_VALUE)}`,
  );
  const way = source === 'import' ? ', from an imported file' : '';
  const text = [`*${WORDS[action]}* ${byWhom(actor)}, ${moment(at)}${way}`, ...lines].join('\n');
  return section(
    text.length > LIMITS.sectionText ? `${lines.length} things differ. ${text.split('\n')[0]}` : text,
  );
}

export const handleHistory = above(
  ofLooked(({ stored, channelId }, catalogue) => historyView(stored.template, channelId, catalogue)),
);

export const handleOlder = inPlace(({ body, action }, catalogue) => {
  const { key, channelId } = carriedIn(body.view, 'look');
  return historyView(key, channelId, catalogue, Number(action.value));
});

export const TRY_VIEW = 'template_try';
export const TRY_FIELD_ACTION = 'template_try_field';

/** The values of a template, with nothing else of a send form. */
function valuesForm(template: Template) {
  return z.object({ params: paramFields(template, {}) });
}

/** The template's inputs, holding its examples, and what the phone shows. Nothing can be sent from here. */
function tryView(
  template: Template,
  channelId: string | undefined,
  values: FormValues,
  note?: string,
): ModalView {
  const hasValues = template.placeholders.length > 0 && template.variant !== 'otp';
  const inputs = hasValues ? formBlocks(valuesForm(template), { values }) : [];
  return shell({
    callbackId: TRY_VIEW,
    title: 'Try a template',
    ...given({ submit: hasValues ? 'Check' : undefined }),
    metadata: carry('look', { channelId, key: keyOf(template) }),
    blocks: [
      ...noteBlocks(note),
      saying(`“${template.label}” with values of your choice. Nothing is sent from here.`, 'opening'),
      // Typing here is not for the handlers of send forms.
      ...inputs.map(
        (block) => ({ ...block, element: { ...block.element, action_id: TRY_FIELD_ACTION } }) as InputBlock,
      ),
      ...previewBlocks(template.channel, template, values),
    ],
  });
}

export const handleTry = above(
  ofLooked(({ stored: { template }, channelId }) =>
    tryView(template, channelId, { params: template.placeholders.map(({ example }) => example ?? null) }),
  ),
);

async function triedIn(view: OpenView, { templates }: Catalogue) {
  const { key, channelId } = carriedIn(view, 'look');
  return { channelId, template: (await templates.look(key))?.template };
}

export const handleTryField: ClickHandler<Catalogue> = async ({ body, action, client }, catalogue) => {
  const { view } = body;
  if (view === undefined) return;
  await catalogue.views.refresh(client, eventIn(view, action), async () => {
    const { channelId, template } = await triedIn(view, catalogue);
    if (template === undefined) return undefined;
    const values = readState(view.state.values);
    const shown = tryView(template, channelId, values);
    const preview = previewBlocks(template.channel, template, values);
    return { ...shown, blocks: withParts(view.blocks, { preview }) as ModalView['blocks'] };
  });
};

/** Check: every value is held to its rule, as when it is sent. */
export const handleTryCheck: SubmissionHandler<Catalogue> = async ({ body, ack }, catalogue) => {
  const { view } = body;
  const { channelId, template } = await triedIn(view, catalogue);
  if (template === undefined) return ack(showing(sayingView('Templates', GONE)));
  const values = readState(view.state.values);
  const params = Array.isArray(values.params) ? values.params.map((value) => value ?? undefined) : [];
  const parsed = valuesForm(template).safeParse({ params });
  if (parsed.success) return ack(showing(tryView(template, channelId, values, VALUES_FIT)));
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  await ack(errors(issues, view));
};
