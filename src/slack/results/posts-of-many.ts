import type { PostKind } from '../../sends/posts.ts';
import type { Renderer } from '../kit/posting/outbox.ts';
import { renderApproval, renderReminder } from './approve/post.ts';
import type { PostSources } from './post-sources.ts';
import { renderFile, renderPicture, renderReport, renderUnknown } from './progress/ended-posts.ts';
import { renderNews } from './progress/news-post.ts';
import { renderProgress } from './progress/post.ts';

/** What shows sends to many, each post read anew whenever it is wanted. */
export function renderSendsToMany(
  sources: PostSources,
): Readonly<Record<Exclude<PostKind, 'send' | 'alert' | 'hold' | 'digest' | 'signal'>, Renderer>> {
  return {
    card: renderApproval(sources),
    progress: renderProgress(sources),
    file: renderFile(sources),
    report: renderReport(sources),
    unknown: renderUnknown(sources),
    picture: renderPicture(sources),
    news: renderNews(sources),
    reminder: renderReminder(sources),
  };
}
