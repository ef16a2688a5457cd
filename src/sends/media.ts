import type { Message } from '../messages/kinds.ts';
import { isOpen, type MediaAnswer, mediaIn, mediaProblem } from '../messages/media.ts';

/** Asks a link what it leads to, in at most two seconds. Never rejects. */
export type LookAtMedia = (link: string) => Promise<MediaAnswer>;

/** With `media.check` of herald.yml. */
export type CheckMedia = ReturnType<typeof createMediaCheck>;

/** @param look undefined where `media.check` is off: nothing is asked, and nothing is found */
export function createMediaCheck(look: LookAtMedia | undefined) {
  return async (message: Message) => {
    if (look === undefined) return { issues: [], open: [] };
    const looked = await Promise.all(
      mediaIn(message).map(async (media) => ({ media, answer: await look(media.link) })),
    );
    return {
      /** A sentence under the field of each link that the service will not take. */
      issues: looked.flatMap(({ media, answer }) => {
        const sentence = mediaProblem(media, answer);
        return sentence === undefined ? [] : [{ path: media.path, message: sentence }];
      }),
      /** Labels of links of which nobody knows what they lead to. */
      open: looked.filter(({ media, answer }) => isOpen(media, answer)).map(({ media }) => media.label),
    };
  };
}
