import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { SlackFile } from '../../protocol.ts';
import { uploadFile } from '../api.ts';
import { useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';
import { SAMPLE_LIST } from '../things-to-try.ts';
import { accessibleName, type ControlProps } from './control.ts';
import { contentOf, valueObject } from './input-state.ts';

/** Slack's own limit of one file_input. */
const MOST_FILES = 10;

/** Files for a form: uploaded at once, so that the form holds only their names. */
export function FileInput(props: ControlProps): VNode {
  const { me } = useWorkspace();
  const { element } = props;
  const [problem, setProblem] = useState<string>();
  const [uploading, setUploading] = useState(0);
  const content = contentOf(element, props.value);
  const files = Array.isArray(content) ? (content as SlackFile[]) : [];
  const latest = useRef(files);
  latest.current = files;
  const most = element.max_files ?? MOST_FILES;

  const add = async (chosen: File[]) => {
    setProblem(undefined);
    const refused = chosen.find((file) => !isAllowed(file.name, element.filetypes));
    if (refused) return setProblem(`${refused.name} is not one of: ${element.filetypes?.join(', ')}.`);
    if (latest.current.length + chosen.length > most) return setProblem(`Choose at most ${most}.`);
    setUploading((count) => count + chosen.length);
    for (const file of chosen) {
      const result = await uploadFile(me.id, file);
      setUploading((count) => count - 1);
      if (result.ok) props.onValue(valueObject(element, [...latest.current, result.file]));
      else setProblem(result.message);
    }
  };
  const onChange = (event: Event & { currentTarget: HTMLInputElement }) => {
    const chosen = [...(event.currentTarget.files ?? [])];
    event.currentTarget.value = '';
    void add(chosen);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    void add([...(event.dataTransfer?.files ?? [])]);
  };

  return html`<div class=${`file-input ${props.invalid ? 'is-invalid' : ''}`} onDrop=${onDrop}
    onDragOver=${(event: Event) => event.preventDefault()}>
    ${files.map(
      (file) => html`<div class="file" key=${file.id}><${Icon} name="file" />
      <span class="file-name">${file.name}</span><span class="file-size">${sizeLabel(file.size)}</span>
      <button type="button" class="icon-button" aria-label=${`Remove ${file.name}`}
        onClick=${() =>
          props.onValue(
            valueObject(
              element,
              files.filter((one) => one.id !== file.id),
            ),
          )}>
        <${Icon} name="close" size=${14} /></button>
    </div>`,
    )}
    ${uploading > 0 && html`<div class="file" role="status"><span class="spinner"></span>Uploading…</div>`}
    <label class="file-drop">
      <input id=${props.id} type="file" class="visually-hidden" multiple=${most > 1}
        aria-label=${accessibleName(props)}
        accept=${element.filetypes?.map((type) => `.${type}`).join(',')} aria-describedby=${props.describedBy}
        aria-invalid=${props.invalid || undefined} onChange=${onChange} />
      <span>Choose a file</span> or drop it here${element.filetypes ? ` (${element.filetypes.join(', ')})` : ''}
    </label>
    ${
      element.filetypes?.includes('csv') &&
      files.length === 0 &&
      html`<button type="button" class="button button-small"
        onClick=${() => void add([new File([SAMPLE_LIST], 'sample-list.csv', { type: 'text/csv' })])}>Use the sample list</button>`
    }
    ${problem && html`<div class="input-error" role="alert">${problem}</div>`}
  </div>`;
}

function isAllowed(name: string, filetypes: string[] | undefined): boolean {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return !filetypes || filetypes.length === 0 || filetypes.includes(extension);
}

/** `812 B`, `14 KB`, `2.3 MB` */
export function sizeLabel(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
