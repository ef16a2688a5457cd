import { beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { ASHA, RAVI, runningStack, TEAM } from './stack.ts';
import { CUSTOMER, TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: C0APPROVALS, approvers: [S0MANAGERS], over: 1 }
access: { templates: [U0ASHA, S0MANAGERS, C0TEAM], send: { rcs: [U0RAVI, C0APPROVALS] } }
`;
const CARD_TICKED = { selected_options: [{ text: { type: 'plain_text', text: 'x' }, value: 'true' }] };

describe('the catalogue', () => {
  const stack = runningStack({ config: CONFIG });
  beforeEach(() => stack.carrier.reset());

  const words = (userId = ASHA) => JSON.stringify(stack.person(userId).views().at(-1)?.blocks ?? '');

  async function closeAll(): Promise<void> {
    for (const { id } of [...stack.person(ASHA).views()].reverse())
      await stack.workspace.act({ type: 'view_closed', as: ASHA, viewId: id });
  }

  test('begins with herald.yml; a new template is sent with its own form, hints and rules, also after a restart', async () => {
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/templates add');
    form.fillAll({ name: 'order_update_size', label: 'Sizes', text: 'Your {{1}} is ready.' });
    expect(await form.submit()).toEqual({ ok: true });
    form.fill('placeholders.0.name', 'size');
    await form.choose('placeholders.0.rule', 'One of these values');
    form.fill('placeholders.0.detail', 'small, large');
    expect(await form.submit()).toEqual({ ok: true });
    await stack.eventually('saved', () => words().includes('Saved.'));
    await closeAll();
    await stack.restart({});

    const sending = await asha.openForm(TEAM, '/chatapp');
    await sending.chooseTemplate('sizes');
    sending.fill('to', CUSTOMER);
    await sending.choose('params.0', 'large');
    const conversation = stack.from(asha);
    expect(await sending.submit()).toEqual({ ok: true });
    // The service has no such template: the result says so, and leads to the template.
    await conversation.message(/132001/);
    expect(stack.wholeRequests()[0]?.body).toMatchObject({
      templateName: 'order_update_size',
      components: { body: { params: ['large'] } },
    });
    const result = stack.workspace
      .snapshot()
      .messages.findLast((message) => message.channel === TEAM && messageText(message).includes('132001'));
    if (result === undefined) throw new Error('no result says so');
    await asha.press('template_look', { message: result });
    expect(words()).toContain('Code 132001: the service does not know this template in that language');
    expect(words()).toContain('the name “order_update_size” and the languages (none is listed here)');
    await closeAll();

    const refused = stack.from(asha);
    await asha.command(TEAM, `/chatapp order_update_size ${CUSTOMER} "medium"`);
    await stack.eventually('the form', () => words().includes('“size” must be one of: small, large.'));
    expect(refused.texts()).toEqual([]);
    expect(stack.wholeRequests()).toHaveLength(1);
    await closeAll();
  });

  test('an RCS template keeps the name that it is registered under, and its result leads to it', async () => {
    const ravi = stack.person(RAVI);
    const form = await stack.person(ASHA).openForm(TEAM, '/templates add');
    await form.choose('variant', 'RCS: plain text');
    form.fillAll({ name: 'Summer Sale/2026', text: 'Come in.' });
    expect(await form.submit()).toEqual({ ok: true });
    await stack.eventually('saved', () => words().includes('Saved.'));
    await closeAll();
    const conversation = stack.from(ravi, 'C0APPROVALS');
    await ravi.command('C0APPROVALS', `/rcs "Summer Sale/2026" ${CUSTOMER}`);
    const result = await conversation.message(/132001/);
    expect(stack.wholeRequests()[0]?.body).toMatchObject({ templateName: 'Summer Sale/2026' });
    await ravi.press('template_look', { message: result });
    expect(words(RAVI)).toContain('the name “Summer Sale/2026”');
    await stack.workspace.act({ type: 'view_closed', as: RAVI, viewId: ravi.views().at(-1)?.id ?? '' });
  });

  test('an edit voids what waits with it, and nothing of that is sent', async () => {
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/chatapp');
    await form.chooseTemplate('order update');
    await form.choose('recipients', 'numbers');
    form
      .fill('numbers', `${CUSTOMER}\n+6591234568\n+6591234569`)
      .fill('params.0', 'Asha')
      .fill('params.1', 'A-1');
    await form.submit();
    await stack.eventually('the review', () => /Ask for approval/.test(JSON.stringify(asha.views())));
    await form.submit();
    const card = () =>
      stack.workspace.snapshot().messages.findLast(({ channel, blocks }) => {
        return channel === 'C0APPROVALS' && /approval:S-/.test(JSON.stringify(blocks ?? ''));
      });
    await stack.eventually('the approval card', () =>
      JSON.stringify(card() ?? '').includes('approval_approve"'),
    );
    const sendId = /S-[0-9A-Z]{10}/.exec(JSON.stringify(card()))?.[0] ?? '';
    await closeAll();

    await asha.openForm(TEAM, '/templates look order_update');
    await asha.press('template_edit');
    const edit = asha.form();
    edit.fill('text', 'Dear {{1}}, order {{2}} has left.');
    expect(await edit.submit()).toEqual({ ok: true });
    expect(words()).toContain(`${sendId}: “Order update” to 3 people, waits for approval`);
    const view = asha.views().at(-1);
    const agree = view?.blocks.find((block) =>
      String((block as { block_id?: string }).block_id).startsWith('agree'),
    ) as { block_id: string; element: { action_id: string; type: string } } | undefined;
    if (view === undefined || agree === undefined) throw new Error('nobody asks for agreement');
    const state = {
      ...view.state.values,
      text: { field: { type: 'plain_text_input', value: 'Dear {{1}}, order {{2}} has left.' } },
      [agree.block_id]: { [agree.element.action_id]: { type: 'checkboxes', ...CARD_TICKED } },
    };
    expect(await stack.workspace.act({ type: 'view_submission', as: ASHA, viewId: view.id, state })).toEqual({
      ok: true,
    });
    await stack.eventually('the card to say why', () =>
      JSON.stringify(card()).includes(
        'The template “Order update” was changed, so its approvals are void. Nothing was sent.',
      ),
    );
    expect(JSON.stringify(card())).not.toContain('approval_approve"');
    expect(stack.wholeRequests()).toEqual([]);
    await closeAll();
    // The record does not change its words: card and /sends show what was asked for, not what the template says now.
    const asked = 'Hello Asha, your order A-1 is on its way.';
    const later = stack.from(asha);
    await asha.command(TEAM, `/sends ${sendId}`);
    await later.message(new RegExp(sendId));
    const told = stack.workspace.snapshot().messages.at(-1);
    for (const message of [card(), told]) {
      expect(JSON.stringify(message)).toContain(asked);
      expect(JSON.stringify(message)).not.toContain('Dear Asha');
    }
  });

  test('who may change templates, and who may send a kind from where, is configuration', async () => {
    const asha = stack.person(ASHA);
    const from = stack.from(asha);
    await asha.command(TEAM, `/rcs store_open ${CUSTOMER}`);
    await from.message(/Only @ravi may send this kind of message; ask one of them\. Nothing was sent\./);
    const ravi = stack.person(RAVI);
    const ravis = stack.from(ravi);
    await ravi.command(TEAM, `/rcs store_open ${CUSTOMER}`);
    await ravis.message(
      /This kind of message is sent from #approvals only; do it there, or ask whoever runs Herald\. Nothing was sent\./,
    );
    expect(stack.wholeRequests()).toEqual([]);
    const there = stack.from(ravi, 'C0APPROVALS');
    await ravi.command('C0APPROVALS', `/rcs store_open ${CUSTOMER}`);
    await there.message(/accepted by the service/i);
    const mei = stack.person('U0MEI');
    const elsewhere = stack.from(mei, 'C0APPROVALS');
    await mei.command('C0APPROVALS', '/templates add');
    await elsewhere.message(/Templates are changed from #team only/);
  });
});
