import { hash } from 'node:crypto';
import type { Clock } from '../../../core/clock.ts';
import { given } from '../../../core/given.ts';
import { isOutage } from '../../../core/outage.ts';
import type { StoppableSurroundings } from '../../../core/surroundings.ts';
import { within } from '../../../core/within.ts';
import {
  kindOfMark,
  type Post,
  type PostClaim,
  type PostKind,
  type PostResult,
  type PostStore,
} from '../../../sends/posts.ts';
import { isGivenUp, type RefusedPosts, waitAfterRefusal } from '../../../sends/refused-posts.ts';
import type { Sharing } from '../../../sends/sharing.ts';
import { type RetryDependencies, retryUntilStored, type StoreTrouble } from '../../../sends/store-trouble.ts';
import { createPace, UPDATE, UPDATES } from './pace.ts';
import { type Placed, type PlacingSurroundings, placePost, type ToGive, type ToShow } from './place-post.ts';
import { createStalled, type Stalled } from './stalled.ts';

/** Milliseconds between two looks for what is wanted: while there is anything, and at rest. */
const LOOK_MS = 200;
const LOOK_AT_REST_MS = 500;
/** A process asks this often whether it is now the one that shows posts. */
const FOLLOW_MS = 1_000;
/** Rest after the store did not answer, or after a post that could not be rendered. */
const FAILED_MS = 5_000;
/**
 * Posts that wait for Slack's answer at the same time: a channel in trouble holds up no other. Updates are counted over all
 * channels, so that more at once would only wait for each other.
 */
const MOST = { post: 8, update: 2 } as const;
/** Claims without an end: by then it is not by chance that the process died of it. */
const MOST_ATTEMPTS = 5;
const LONGEST_REST_MS = 30_000;
/** A post that has nothing to show rests so long: it is wanted with the others at each change of its subject. */
const NOTHING_REST_MS = 1_000;
/** A post of what is under way is shown a last time by a Herald that ends, however short ago it was shown. */
const EARLY_MS = 5_000;

/** Reads what a post shows now. `nothing`: there is nothing to show, or not any more. */
export type Renderer = (post: Post) => Promise<ToShow | ToGive | 'nothing'>;

interface OutboxDependencies
  extends StoppableSurroundings,
    RetryDependencies,
    Omit<PlacingSurroundings, 'pace'> {
  readonly posts: PostStore;
  readonly storeTrouble: StoreTrouble;
  readonly sharing: Pick<Sharing, 'isLeader'>;
  readonly renderers: Readonly<Record<PostKind, Renderer>>;
  readonly refusedPosts: RefusedPosts;
}

/**
 * Shows every post that is wanted: claims what is due, renders it from the state as it is then, posts or updates it, and
 * notes which wish that has fulfilled. One process shows all of them, as Slack counts calls for the whole workspace; what
 * it left is found by the next one.
 */
export function createOutbox(dependencies: OutboxDependencies) {
  const { posts, sharing, clock, logger } = dependencies;
  const pace = createPace(clock);
  const updates = createPace(clock, UPDATES);
  const stalled = createStalled(dependencies, updates);
  const show = createShowing({ ...dependencies, pace, stalled }, updates);
  const leads = createLead(sharing, clock);
  const inFlight = { post: new Map<string, Promise<void>>(), update: new Map<string, Promise<void>>() };
  const underWay = () => [...inFlight.post.values(), ...inFlight.update.values()];
  const ended = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function claimSome(how: PostClaim['how'], last: Set<string> | undefined): Promise<void> {
    const limit = MOST[how] - inFlight[how].size;
    if (limit <= 0 || (how === 'update' && last === undefined && updates.resting().length > 0)) return;
    const restingChannels = how === 'post' ? pace.resting() : [];
    const claim = { now: clock.now(), how, limit, early: last ? EARLY_MS : 0, restingChannels };
    const marks = [...inFlight.post.keys(), ...inFlight.update.keys(), ...(last ?? [])];
    for (const post of await posts.claim({ ...claim, inFlight: marks })) {
      last?.add(post.mark);
      const shown = show(post)
        .catch((error: unknown) => logger.error({ error, mark: post.mark }, 'a post could not be shown'))
        .finally(() => inFlight[how].delete(post.mark));
      inFlight[how].set(post.mark, shown);
    }
  }

  /**
   * Returns how long to rest.
   *
   * @param last what was shown a last time, each once
   */
  async function look(last?: Set<string>): Promise<number> {
    if (!(await leads())) return FOLLOW_MS;
    await claimSome('post', last);
    await claimSome('update', last);
    return underWay().length > 0 ? LOOK_MS : LOOK_AT_REST_MS;
  }

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      const restMs = await look().catch((error: unknown) => {
        logger.error({ error }, 'looking for posts failed; trying again');
        return FAILED_MS;
      });
      await clock.sleep(restMs, ended.signal);
    }
  }

  /** Shows what is wanted by now, and what that wants in turn. */
  async function finish(): Promise<void> {
    await running;
    for (const last of [new Set<string>(), undefined])
      do {
        await Promise.all(underWay());
        if ((await look(last)) === FOLLOW_MS) return;
      } while (underWay().length > 0);
  }

  return {
    start: (): void => {
      running = run();
    },
    /** Shows what is due once more, for `deadlineMs` at most, and ends. */
    drained: async (deadlineMs: number): Promise<void> => {
      ended.abort();
      const finished = finish().catch((error: unknown) => logger.warn({ error }, 'posts were left to show'));
      await within(finished, deadlineMs, clock);
    },
  };
}

/** Asked once a second: whoever shows a post at the same time finds by its attempts that somebody else may have. */
function createLead(sharing: OutboxDependencies['sharing'], clock: Clock): () => Promise<boolean> {
  let leadsUntil = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.monotonic() < leadsUntil) return true;
    const isLeader = await sharing.isLeader('show_posts');
    if (isLeader) leadsUntil = clock.monotonic() + FOLLOW_MS;
    return isLeader;
  };
}

type StandingPlace = Extract<Placed, { state: 'stands' }>['place'];
type Showing = OutboxDependencies & PlacingSurroundings & { readonly stalled: Stalled };

function createShowing(dependencies: Showing, updates: ReturnType<typeof createPace>) {
  const { posts, renderers, stalled, clock, logger } = dependencies;

  const read = (post: Post) => renderers[kindOfMark(post.mark)](post);

  /** Undefined when it is to be shown. */
  function asItStands({ mark, place, digest }: Post, toShow: ToShow): Placed | undefined {
    if (place === undefined || stalled.isOverwritten(mark) || digest !== digestOf(toShow, place))
      return undefined;
    return { state: 'stands', place };
  }

  async function place(post: Post): Promise<PostResult> {
    let toShow = await read(post);
    if (isToShow(toShow) && post.place !== undefined && !asItStands(post, toShow)) {
      const isLate = updates.resting().length > 0;
      await updates.turn(UPDATE);
      // Its subject may have changed since.
      if (isLate) toShow = await read(post);
    }
    if (toShow === 'nothing') return { mark: post.mark, shown: post.wanted, restMs: NOTHING_REST_MS };
    if (!isToShow(toShow)) return resultOf(post, await toShow.give(), dependencies);
    const placed = asItStands(post, toShow) ?? (await placePost(post, toShow, dependencies));
    if (placed.state !== 'stands') return resultOf(post, placed, dependencies);
    const direct = placed.place.channelId !== toShow.channelId;
    stalled.shown(post.mark, placed.place, toShow.stalled?.({ direct }));
    return standing(post, toShow, placed.place);
  }

  return async (post: Post): Promise<void> => {
    const { mark, attempts } = post;
    const result =
      attempts >= MOST_ATTEMPTS
        ? setAside(post, `it was begun ${attempts} times and never ended`, dependencies)
        : await place(post).catch((error: unknown): PostResult => {
            logger.error({ error, mark }, 'a post could not be rendered; it is tried again');
            return { mark, restMs: FAILED_MS, attempts: isOutage(error) ? attempts : attempts + 1 };
          });
    await retryUntilStored(() => posts.note(result, clock.now()), dependencies);
  };
}

function isToShow(read: Awaited<ReturnType<Renderer>>): read is ToShow {
  return typeof read === 'object' && 'render' in read;
}

function standing({ mark, wanted: shown }: Post, toShow: ToShow, place: StandingPlace): PostResult {
  const { restMs = 0, againAfterMs, isConversation } = toShow;
  const again = againAfterMs === undefined ? {} : { againAfterMs };
  const thread = isConversation ? { threadTs: place.threadTs ?? place.ts } : {};
  return { mark, shown, place, ...thread, digest: digestOf(toShow, place), restMs, ...again };
}

function resultOf(
  post: Post,
  placed: Exclude<Placed, { state: 'stands' }>,
  dependencies: Showing,
): PostResult {
  const { mark, wanted: shown, lost } = post;
  switch (placed.state) {
    case 'given':
      return given({ mark, shown, digest: placed.note, restMs: 0 });
    case 'refused':
      return setAside(post, placed.reason, dependencies);
    case 'later':
      if (placed.refusal !== undefined)
        return afterRefusal(post, placed.refusal, placed.retryAfterMs, dependencies);
      return {
        mark,
        restMs: Math.min(placed.retryAfterMs * (lost + 1), LONGEST_REST_MS),
        lost: placed.lost ? lost + post.attempts + 1 : lost + post.attempts,
      };
  }
}

/** Slack refuses it for a reason that may pass: it is tried ever more seldom, and set aside after a day. */
function afterRefusal(post: Post, refusal: string, retryAfterMs: number, dependencies: Showing): PostResult {
  const { mark, lost, attempts } = post;
  const now = dependencies.clock.now();
  const [tries, refusedSince] = [post.tries + 1, post.refusedSince ?? now];
  if (isGivenUp(tries, refusedSince, now)) return setAside(post, refusal, dependencies);
  const restMs = waitAfterRefusal(tries, retryAfterMs);
  dependencies.logger.warn(
    { mark, refusal, tries, restMs },
    'Slack refuses a message; it is tried again later',
  );
  return { mark, restMs, tries, refusedSince, lost: lost + attempts };
}

/** It is not tried again until its subject changes. */
function setAside(
  { mark, wanted: shown, lost, attempts }: Post,
  reason: string,
  { refusedPosts }: Showing,
): PostResult {
  refusedPosts.add({ mark }, reason);
  return { mark, shown, digest: reason, restMs: 0, lost: lost + attempts };
}

function digestOf(toShow: ToShow, { channelId, threadTs }: Omit<StandingPlace, 'ts'>): string {
  const card = toShow.render({ direct: channelId !== toShow.channelId, threadTs });
  return hash('sha256', JSON.stringify(card)).slice(0, 32);
}
