import type { Surroundings } from '../../core/surroundings.ts';
import type { Message } from '../../messages/kinds.ts';
import type { NoticeStore } from '../notices.ts';
import type { Failure } from '../outcome.ts';
import { statusOfWord, type Warning } from './mark.ts';
import { keyOf, type TemplateKey, type TemplateStore, templateAtFault } from './store.ts';

interface LifeDependencies extends Surroundings {
  readonly templates: Pick<TemplateStore, 'mark'>;
  readonly notices: Pick<NoticeStore, 'begin' | 'end'>;
}

export type TemplateLife = ReturnType<typeof createTemplateLife>;

/** Marks templates in the catalogue, and notifies operators once that one needs somebody, and once that it is over. */
export function createTemplateLife({ templates, notices, clock, logger }: LifeDependencies) {
  async function put(...[which, mark]: Parameters<TemplateStore['mark']>): Promise<void> {
    for (const key of await templates.mark(which, mark)) {
      const name = `template:${keyOf(key)}`;
      if (mark.status === 'approved') await notices.end(name, mark.at);
      else if (mark.status !== 'doubted')
        await notices.begin({ name, what: noticeOf(key, mark.status), since: mark.at });
    }
  }

  return {
    /** The service's word in a webhook that came at `at`. May be repeated; an older word never replaces a newer one. */
    said: async (name: string, word: string, words: string, at: number): Promise<void> => {
      const status = statusOfWord(word);
      if (status !== undefined) await put({ name }, { status, words: words || word, at });
    },
    /** An outcome that speaks of the template. Never rejects: the outcome itself stands already. */
    refused: async (message: Message, failure: Failure): Promise<void> => {
      const fault = templateAtFault(message, failure);
      if (fault === undefined) return;
      const status = /\bpaused\b/i.test(failure.what) ? 'paused' : 'doubted';
      try {
        await put(fault.key, { status, words: failure.what, at: clock.now() });
      } catch (error) {
        logger.warn({ error, code: fault.code }, 'a template that the service refused could not be marked');
      }
    },
    /** A person says so, who may change templates. */
    approvedAgain: (key: TemplateKey): Promise<void> =>
      put(key, { status: 'approved', words: '', at: clock.now() }),
  };
}

function noticeOf({ name }: TemplateKey, status: Warning['status']): string {
  // Names of RCS templates may hold anything.
  const named = /^[\w .-]+$/.test(name) ? `\`${name}\`` : 'with a name that is not repeated here';
  return `The service says that the template ${named} is ${status}: messages of it may be refused, and sends to many that were approved before wait for a person. Settle it with the service; then choose “It is approved again” under /templates.`;
}
