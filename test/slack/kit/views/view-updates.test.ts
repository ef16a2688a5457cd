import type { ModalView } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { NothingSent } from '../../../../src/slack/connection/notify-person.ts';
import { openModal } from '../../../../src/slack/kit/clicks/answering.ts';
import { createViewUpdates } from '../../../../src/slack/kit/views/view-updates.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { RecordingClient, slackError } from '../../compose/setting.ts';

const view = (name: string, metadata = 'same'): ModalView => ({
  type: 'modal',
  title: { type: 'plain_text', text: name },
  private_metadata: metadata,
  blocks: [],
});
const event = (at: string, hash = 'opened') => ({ viewId: 'V1', hash, at });

function setUp() {
  const clock = createManualClock();
  const client = new RecordingClient();
  const updates = createViewUpdates(clock, createRecordingLogger());
  /** What was asked of Slack: whose view, with which hash. */
  const asked = () =>
    client
      .of('views.update')
      .map(({ view: shown, hash }) => `${(shown as ModalView).title.text} ${hash ?? 'no hash'}`);
  /** Refreshes a form, and waits until the next refresh may follow. */
  const refreshed = async (at: string, build: () => Promise<ModalView | undefined>) => {
    const refresh = updates.refresh(client, event(at), build);
    await clock.advance(1000);
    await refresh;
  };
  return { clock, client, updates, asked, refreshed };
}

describe('redrawing for a choice', () => {
  test('names the hash of the view it was made in', async () => {
    const { client, updates, asked } = setUp();
    await updates.redraw(client, event('1.0'), view('A'));
    expect(asked()).toEqual(['A opened']);
  });

  test('a conflict: the choice still stands, and is drawn over whatever came in between', async () => {
    const { client, updates, asked } = setUp();
    client.failures['views.update'] = [slackError('hash_conflict')];
    await updates.redraw(client, event('1.0'), view('A'));
    expect(asked()).toEqual(['A opened', 'A no hash']);
  });

  test('of two choices the later one wins, even if it arrives first', async () => {
    const { client, updates, asked } = setUp();
    await updates.redraw(client, event('2.0'), view('later'));
    await updates.redraw(client, event('1.0'), view('earlier'));
    expect(asked()).toEqual(['later opened']);
  });

  test('a choice that was overtaken while Slack refused it is not drawn again', async () => {
    const { client, updates, asked } = setUp();
    client.failures['views.update'] = [slackError('hash_conflict')];
    await Promise.all([
      updates.redraw(client, event('1.0'), view('earlier')),
      updates.redraw(client, event('2.0'), view('later')),
    ]);
    expect(asked()).toEqual(['earlier opened', 'later opened']);
  });

  test('a form that was closed is no error', async () => {
    const { client, updates } = setUp();
    client.failures['views.update'] = [slackError('not_found')];
    await updates.redraw(client, event('1.0'), view('A'));
  });

  test.each([
    [slackError('invalid_arguments'), '(invalid_arguments).'],
    [slackError('token_revoked'), '(token_revoked). Whoever runs Herald must mend that first.'],
    [new Error('a socket was closed'), '(ambiguous).'],
  ])(
    'a choice that is not shown (%s): the person is told so, and that nothing was sent',
    async (error, why) => {
      const said = `Slack did not show this in the window ${why} Nothing was sent. Close the window and open it again.`;
      const { client, updates } = setUp();
      client.failures['views.update'] = [error];
      await expect(updates.redraw(client, event('1.0'), view('A'))).rejects.toEqual(new NothingSent(said));
    },
  );
});

describe('refreshing the preview', () => {
  test('while one is under way only the newest waits, and a second lies between two', async () => {
    const { clock, client, updates, asked } = setUp();
    const first = updates.refresh(client, event('1.0'), async () => view('a'));
    for (const text of ['ab', 'abc', 'abcd'])
      await updates.refresh(client, event(`1.${text.length}`), async () => view(text));
    await clock.advance(0);
    expect(asked()).toEqual(['a opened']);
    await clock.advance(999);
    expect(asked()).toEqual(['a opened']);
    await clock.advance(1);
    expect(asked()).toEqual(['a opened', 'abcd opened']);
    await clock.advance(1000);
    await first;
    expect(clock.sleeping).toBe(0);
  });

  test('two forms do not wait for each other', async () => {
    const { clock, client, updates, asked } = setUp();
    const one = updates.refresh(client, event('1.0'), async () => view('one'));
    const two = updates.refresh(client, { ...event('1.0'), viewId: 'V2' }, async () => view('two'));
    await clock.advance(0);
    expect(asked()).toEqual(['one opened', 'two opened']);
    await clock.advance(1000);
    await Promise.all([one, two]);
  });

  test('a person who typed on before seeing the last preview gets the next one', async () => {
    const { client, asked, refreshed } = setUp();
    await refreshed('1.0', async () => view('a'));
    client.failures['views.update'] = [slackError('hash_conflict')];
    await refreshed('1.1', async () => view('ab'));
    expect(asked()).toEqual(['a opened', 'ab opened', 'ab drawn-1']);
  });

  test('a conflict with a form that shows other fields by now is left alone', async () => {
    const { client, updates, asked, refreshed } = setUp();
    await updates.redraw(client, event('1.0'), view('template B', 'B'));
    client.failures['views.update'] = [slackError('hash_conflict')];
    await refreshed('1.1', async () => view('preview of A', 'A'));
    expect(asked()).toEqual(['template B opened', 'preview of A opened']);
  });

  test('what was typed before another template was chosen is not drawn over it', async () => {
    const { client, updates, asked, refreshed } = setUp();
    await updates.redraw(client, event('2.0'), view('template B', 'B'));
    await refreshed('1.0', async () => view('preview of A', 'A'));
    expect(asked()).toEqual(['template B opened']);
  });

  test('nothing to draw, and a drawing that fails, end quietly and let the next one through', async () => {
    const { asked, refreshed } = setUp();
    await refreshed('1.0', async () => undefined);
    await refreshed('1.1', () => Promise.reject(new Error('broken')));
    await refreshed('1.2', async () => view('next'));
    expect(asked()).toEqual(['next opened']);
  });
});

const opened = (code: string) => {
  const open = () => Promise.reject(slackError(code));
  return openModal({ views: { open, push: open, update: open } }, '1.2', view('A'));
};

test.each([
  ['missing_scope', '(missing_scope). Whoever runs Herald must mend that first.'],
  ['view_too_large', '(view_too_large).'],
])('a form that Slack refuses with %s is said so, with who can mend it', async (code, why) => {
  expect(await opened(code)).toEqual({ ok: false, error: `Slack did not open the form ${why}` });
});
