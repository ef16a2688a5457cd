import type { FileInput, KnownBlock, ModalView } from '@slack/types';
import { fail, ok, type Result } from '../../core/result.ts';
import { templateDifferences } from '../../messages/templates/differences.ts';
import type { ImportPlan } from '../../sends/templates/service.ts';
import { TEMPLATE_FILE_MAX_BYTES, type TemplateFileProblem } from '../../sends/templates/yaml.ts';
import { describeError } from '../connection/api-error.ts';
import { literalMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { input, saying, sayingView, section } from '../kit/blocks/blocks.ts';
import type { SubmissionArguments, SubmissionHandler } from '../kit/clicks/arguments.ts';
import { FILE_FIELD, fileIn, type GivenFile } from '../kit/files/file-inputs.ts';
import { readState } from '../kit/forms/read-state.ts';
import { answerLate, showing } from '../kit/views/answer-late.ts';
import { listView, wholeList } from './list.ts';
import * as say from './sentences.ts';
import {
  aboveForEditors,
  type Carried,
  type Catalogue,
  carriedIn,
  carry,
  channelOf,
  noteBlocks,
  shell,
  voidsBlocks,
  whyNot,
} from './windows.ts';

export const IMPORT_VIEW = 'templates_import';
export const PLAN_VIEW = 'templates_import_plan';

const READING = 'The file is being read. This window then shows what it would change.';
const PROBLEMS_SHOWN = 40;
const CHANGES_SHOWN = 25;
const SHOWN_VALUE = 150;

const FILE_HINT =
  'A list of templates as in herald.yml. What it does not name stays as it is. You see what would change before anything does.';
const FILE: FileInput = {
  type: 'file_input',
  action_id: FILE_FIELD,
  filetypes: ['yml', 'yaml', 'txt'],
  max_files: 1,
};

export function importView(
  channelId: string | undefined,
  problem?: string,
  lines: readonly string[] = [],
): ModalView {
  return shell({
    callbackId: IMPORT_VIEW,
    title: 'Import templates',
    submit: 'Next',
    metadata: carry('place', { channelId }),
    blocks: [
      ...noteBlocks(problem),
      ...textBlocks(lines),
      input(FILE_FIELD, 'YAML file', FILE, { hint: FILE_HINT }),
    ],
  });
}

/** Lines as plain text, in as few sections as hold them. */
function textBlocks(lines: readonly string[]): KnownBlock[] {
  const blocks: string[] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last === undefined || last.length + line.length + 1 > LIMITS.sectionText) blocks.push(line);
    else blocks[blocks.length - 1] = `${last}\n${line}`;
  }
  return blocks.map((text) => saying(text));
}

export const handleImport = aboveForEditors(async (args) => importView(channelOf(args)));

/** A file was chosen: it is read and compared, and what it would change is shown. */
export const handleImportFile: SubmissionHandler<Catalogue> = async (args, catalogue) => {
  const { body, ack } = args;
  const { view, user } = body;
  const { channelId } = carriedIn(view, 'place');
  const refuse = (sentence: string) => ack({ response_action: 'errors', errors: { [FILE_FIELD]: sentence } });
  const refusal = await whyNot(user.id, channelId, catalogue);
  if (refusal !== undefined) return refuse(refusal);
  const file = fileIn(readState(view.state.values));
  if (file === undefined) return refuse(say.FILE_MISSING);
  await showLate(args, nextView(file, channelId, catalogue), catalogue);
};

/** A view in the place of a submitted one, however long it takes to make. */
function showLate(
  args: SubmissionArguments,
  making: Promise<ModalView>,
  catalogue: Catalogue,
): Promise<void> {
  const answers = {
    inTime: (view: ModalView) => args.ack(showing(view)),
    meanwhile: sayingView('Templates', READING),
    late: async (view: ModalView) => ({ view }),
  };
  return answerLate(args, making, answers, catalogue);
}

async function nextView(
  file: GivenFile,
  channelId: string | undefined,
  catalogue: Catalogue,
): Promise<ModalView> {
  const source = await sourceOf(file, catalogue);
  if (!source.ok) return importView(channelId, source.error);
  const planned = await catalogue.templates.planImport(source.value);
  return planned.ok ? planView(file, channelId, planned.value) : problemsView(channelId, planned.error);
}

async function sourceOf(file: GivenFile, { files, logger }: Catalogue): Promise<Result<string, string>> {
  const downloaded = await files.download(file, TEMPLATE_FILE_MAX_BYTES);
  if (!downloaded.ok) return fail(downloaded.error);
  try {
    const chunks = await Array.fromAsync(downloaded.value);
    // Without the byte order mark, if it has one.
    return ok(new TextDecoder().decode(Buffer.concat(chunks)));
  } catch (error) {
    logger.info({ error: describeError(error) }, 'a file of templates could not be read to its end');
    return fail(say.FILE_UNREADABLE);
  }
}

function problemsView(channelId: string | undefined, problems: readonly TemplateFileProblem[]): ModalView {
  const lines = problems.slice(0, PROBLEMS_SHOWN).map(({ line, message }) => `Line ${line}: ${message}`);
  const more = problems.length > PROBLEMS_SHOWN ? [`and ${problems.length - PROBLEMS_SHOWN} more`] : [];
  return importView(channelId, say.problemsFound(problems.length), [...lines, ...more]);
}

function planView(
  file: GivenFile,
  channelId: string | undefined,
  plan: ImportPlan,
  note?: string,
): ModalView {
  const { added, edited, restored, unchanged, sends, mark } = plan;
  if (added.length + edited.length + restored.length === 0)
    return sayingView('Templates', say.NOTHING_TO_IMPORT);
  const counts = [
    `${added.length} new`,
    `${edited.length} changed`,
    ...(restored.length > 0 ? [`${restored.length} restored from the archive`] : []),
    `${unchanged} as they are`,
  ];
  const changes = changesIn(plan);
  const more = changes.length > CHANGES_SHOWN ? [`and ${changes.length - CHANGES_SHOWN} more`] : [];
  return shell({
    callbackId: PLAN_VIEW,
    title: 'Import templates',
    submit: 'Import',
    metadata: carry('import', { channelId, file: { id: file.id, name: file.name }, mark }),
    blocks: [
      ...noteBlocks(note),
      section(`*${literalMrkdwn(file.name, SHOWN_VALUE)}*: ${counts.join(', ')}. Nothing was changed yet.`),
      ...textBlocks([...changes.slice(0, CHANGES_SHOWN), ...more]),
      ...voidsBlocks(sends),
    ],
  });
}

function changesIn({ added, edited, restored }: ImportPlan): readonly string[] {
  const cut = (text: string) =>
    text.length > SHOWN_VALUE ? `${text.slice(0, SHOWN_VALUE).toWellFormed()}…` : text;
  return [
    ...edited.flatMap(({ before, after }) =>
      templateDifferences(before, after).map(
        ({ what, before: was, after: is }) => `${after.name}, ${what}: ${cut(was)} → ${cut(is)}`,
      ),
    ),
    ...restored.map(({ name, label }) => `${name}: restored (${label})`),
    ...added.map(({ name, label }) => `${name}: new (${label})`),
  ];
}

/** Import was pressed: what was shown is done, or, where something has changed since, shown anew. */
export const handleImportAnswer: SubmissionHandler<Catalogue> = async (args, catalogue) => {
  const { body, ack } = args;
  const { view, user } = body;
  const metadata = carriedIn(view, 'import');
  const refusal = await whyNot(user.id, metadata.channelId, catalogue);
  if (refusal !== undefined) return ack(showing(sayingView('Templates', refusal)));
  await showLate(args, importedView(metadata, user.id, catalogue), catalogue);
};

async function importedView(
  { file, mark, channelId }: Carried<'import'>,
  userId: string,
  catalogue: Catalogue,
): Promise<ModalView> {
  const source = await sourceOf(file, catalogue);
  if (!source.ok) return importView(channelId, source.error);
  const result = await catalogue.templates.runImport(source.value, mark, userId);
  if (!result.ok) return problemsView(channelId, result.error);
  const { state, plan, voided } = result.value;
  if (state === 'changed') return planView(file, channelId, plan, say.PLAN_CHANGED);
  const { added, edited, restored } = plan;
  const done = `Imported: ${added.length} new, ${edited.length} changed, ${restored.length} restored.`;
  return listView({ ...wholeList(channelId), note: `${done}${say.voided(voided)}` }, catalogue);
}
