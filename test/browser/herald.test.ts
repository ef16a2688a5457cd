import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { FROM } from '../e2e/team.ts';
import { PATIENT } from '../patience.ts';
import { onHerald } from './on-page.ts';
import { takePicture } from './take-picture.ts';

/*
 * Herald as a person meets it: the sandbox's page in a browser, the real process behind it, phones beside it.
 */
const CUSTOMER = '+919812345678';
const ON_CALL = '+6591234567';
/** More than the page has controls. */
const MOST_TABS = 60;

const on = onHerald({ each: true });
const { composer, phone, type, log: channel } = on;
beforeEach(() => on.stack.carrier.reset());

const form = () => on.page.getByRole('dialog', { name: 'Chat-app message' });

/** Opens `/chatapp` and picks a template by typing part of its label. */
async function pickTemplate(words: string, label: RegExp): Promise<void> {
  await type('/chatapp');
  await form().waitFor();
  await form().getByRole('combobox', { name: 'Template' }).fill(words);
  await on.page.getByRole('option', { name: label }).click();
}

/** The sentence in red under each input that has one, by the input's label. */
function errorsUnderInputs(): Promise<Record<string, string>> {
  return form().evaluate((dialog) =>
    Object.fromEntries(
      [...dialog.querySelectorAll('.block-input')].flatMap((block) => {
        const error = block.querySelector('[role=alert]')?.textContent;
        return error ? [[block.querySelector('label')?.textContent ?? '', error]] : [];
      }),
    ),
  );
}

function isFocused(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => element === document.activeElement);
}

/** Reaches a control as one does without a mouse; fails when it cannot be reached so. */
async function tabTo(control: Locator): Promise<void> {
  for (let presses = 0; presses < MOST_TABS; presses += 1) {
    if (await isFocused(control)) return;
    await on.page.keyboard.press('Tab');
  }
  throw new Error(`No Tab out of ${MOST_TABS} reached ${control}.`);
}

describe('a message to one customer', () => {
  it('goes from the form to the phone, and its result comes back into the channel', async () => {
    await pickTemplate('order', /Order update/);
    await form().getByLabel('customer').fill('Asha');
    await form().getByLabel('order', { exact: true }).fill('A-1001');
    await form().getByText('Hello Asha, your order A-1001 is on its way.').waitFor();

    await form().getByLabel('To', { exact: true }).fill('98123');
    await form().getByRole('button', { name: 'Send' }).click();
    await form()
      .getByText(/too short for a phone number/)
      .waitFor();
    expect(await errorsUnderInputs()).toEqual({
      To: 'This is too short for a phone number; emergency and short service numbers cannot be messaged. Enter a full number, for example +91 81234 56789.',
    });
    expect(on.stack.wholeRequests()).toEqual([]);
    await takePicture(form(), 'form');

    // The cursor waits in the field that is at fault: one types on, and Enter sends.
    await expect.poll(() => isFocused(form().getByLabel('To', { exact: true })), PATIENT).toBe(true);
    await on.page.keyboard.press('ControlOrMeta+A');
    await on.page.keyboard.type(CUSTOMER);
    await on.page.keyboard.press('Enter');
    await form().waitFor({ state: 'detached' });
    await phone(CUSTOMER)
      .getByText(/A-1001/)
      .waitFor();
    await channel().getByText('Chat-app message “Order update”: accepted by the service').last().waitFor();
    expect(await channel().textContent()).not.toContain(CUSTOMER);
    expect(on.stack.wholeRequests()).toEqual([
      {
        path: '/v1/chatapp',
        body: {
          from: FROM,
          to: CUSTOMER,
          templateName: 'order_update',
          type: 'template',
          components: { body: { params: ['Asha', 'A-1001'] } },
        },
      },
    ]);
  });

  it('that fails says what happened, whether it may have been sent, and what to do', async () => {
    await type('/chatapp order_update +919999132000 "Kiran" "A-1002"');
    const card = channel()
      .getByText(/the number of variable values in the request differs/)
      .last();
    await card.waitFor();
    await channel().getByText('rejected, nothing was sent').last().waitFor();
    await channel()
      .getByText(/Compare the template’s placeholders with Herald’s catalogue/)
      .last()
      .waitFor();
    await takePicture(channel().getByRole('article').last(), 'failed');
    await expect(
      phone('+919999132000')
        .getByText(/A-1002/)
        .count(),
    ).resolves.toBe(0);
  });
});

describe('a flash message', () => {
  it('is typed, lies over the phone’s screen, and is gone once dismissed: by keyboard alone', async () => {
    await tabTo(composer());
    await on.page.keyboard.type(`/flash ${ON_CALL} The server room is at 41 degrees.`);
    await on.page.keyboard.press('Enter');
    const overlay = phone(ON_CALL).getByRole('alertdialog');
    await overlay.getByText('The server room is at 41 degrees.').waitFor();
    await channel().getByText('Flash SMS: accepted by the service').last().waitFor();
    await tabTo(overlay.getByRole('button', { name: 'Dismiss' }));
    await on.page.keyboard.press('Enter');
    await overlay.waitFor({ state: 'detached' });
    await expect(phone(ON_CALL).getByText('The server room is at 41 degrees.').count()).resolves.toBe(0);
  });
});

describe('a customer who writes back', () => {
  it('is heard in the thread of the message, by masked number, and answered from there', async () => {
    await type(`/sms ${ON_CALL} Shall we come at five?`);
    await phone(ON_CALL).getByText('Shall we come at five?').waitFor();
    await channel().getByText('SMS: accepted by the service').last().waitFor();
    const field = phone(ON_CALL).getByRole('textbox', { name: `Reply from ${ON_CALL}` });
    await field.fill('At six, please');
    await field.press('Enter');
    await phone(ON_CALL).getByText('At six, please').waitFor();
    await channel()
      .getByRole('button', { name: /1 reply/ })
      .last()
      .click();
    const thread = on.page.getByRole('log', { name: 'Replies' });
    await thread.getByText('At six, please').waitFor();
    await expect(thread.getByText('+65 •••• 4567 wrote:').count()).resolves.toBe(1);
    await thread.getByRole('button', { name: 'Answer', exact: true }).click();
    const answer = on.page.getByRole('dialog', { name: 'Answer' });
    await answer.getByRole('textbox', { name: 'Text' }).fill('Six it is.');
    await answer.getByRole('button', { name: 'Send' }).click();
    await thread.getByText('Six it is.').waitFor();
    await phone(ON_CALL).getByText('Six it is.').waitFor();
    await takePicture(on.page.getByRole('complementary', { name: 'Thread' }), 'answer');
  });
});
