import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SlackFile } from '../../protocol.ts';
import { uploadFile } from '../api.ts';
import { sizeLabel } from '../blocks/file-input.ts';
import { useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';

export interface AttachedFiles {
  files: readonly SlackFile[];
  uploading: boolean;
  add: (chosen: readonly File[]) => Promise<void>;
  remove: (file: SlackFile) => void;
  /** Gives the files to a message: none are attached any more. */
  take: () => readonly SlackFile[];
  /** Brings back the files of a message that was not posted. */
  putBack: (files: readonly SlackFile[]) => void;
}

/** Files that go out with the next message of a composer; those of another place are forgotten. */
export function useAttachedFiles(place: string): AttachedFiles {
  const { me, notify } = useWorkspace();
  const [files, setFiles] = useState<readonly SlackFile[]>([]);
  const [underWay, setUnderWay] = useState(0);
  const current = useRef(place);
  current.current = place;
  useEffect(() => setFiles([]), [place]);
  const upload = async (file: File) => {
    setUnderWay((count) => count + 1);
    const result = await uploadFile(me.id, file);
    setUnderWay((count) => count - 1);
    if (!result.ok) notify(result.message);
    else if (current.current === place) setFiles((before) => [...before, result.file]);
  };
  return {
    files,
    uploading: underWay > 0,
    add: async (chosen) => {
      for (const file of chosen) await upload(file);
    },
    remove: (file) => setFiles((before) => before.filter(({ id }) => id !== file.id)),
    take: () => {
      setFiles([]);
      return files;
    },
    putBack: (taken) => {
      if (current.current === place) setFiles((added) => [...taken, ...added]);
    },
  };
}

export function AttachedFileList({ attached }: { attached: AttachedFiles }): VNode | null {
  const { files, uploading, remove } = attached;
  if (files.length === 0 && !uploading) return null;
  return html`<div class="composer-files">
    ${files.map(
      (file) => html`<div class="file" key=${file.id}><${Icon} name="file" />
      <span class="file-name">${file.name}</span><span class="file-size">${sizeLabel(file.size)}</span>
      <button type="button" class="icon-button" aria-label=${`Remove ${file.name}`} onClick=${() => remove(file)}>
        <${Icon} name="close" size=${14} /></button></div>`,
    )}
    ${uploading && html`<div class="file" role="status"><span class="spinner"></span>Uploading…</div>`}
  </div>`;
}

export function AttachButton({ attached }: { attached: AttachedFiles }): VNode {
  const input = useRef<HTMLInputElement>(null);
  const onChange = (event: Event & { currentTarget: HTMLInputElement }) => {
    const chosen = [...(event.currentTarget.files ?? [])];
    event.currentTarget.value = '';
    void attached.add(chosen);
  };
  return html`<button type="button" class="icon-button" aria-label="Attach a file" title="Attach a file"
      onClick=${() => input.current?.click()}><${Icon} name="file" /></button>
    <input ref=${input} type="file" class="visually-hidden" multiple tabindex="-1" aria-hidden="true"
      onChange=${onChange} />`;
}
