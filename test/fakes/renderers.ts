import type { PostKind } from '../../src/sends/posts.ts';
import type { Renderer } from '../../src/slack/kit/posting/outbox.ts';

/** Of the other posts there is nothing to show. */
export function rendering(some: Partial<Record<PostKind, Renderer>>): Record<PostKind, Renderer> {
  const nothing: Renderer = async () => 'nothing';
  return new Proxy(some, {
    get: (known, kind) => known[kind as PostKind] ?? nothing,
  }) as Record<PostKind, Renderer>;
}
