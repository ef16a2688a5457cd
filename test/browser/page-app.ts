import { App, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { startCarrier } from '../../sandbox/carrier/server.ts';
import { startWorkspace, type Workspace } from '../../sandbox/slack/server.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (text: string, value: string) => ({ text: plain(text), value });

/** A form whose fields depend on the chosen template, as Herald's do. */
function form(template: string | undefined) {
  const text = (blockId: string, label: string) => ({
    type: 'input' as const,
    block_id: blockId,
    label: plain(label),
    element: { type: 'plain_text_input' as const, action_id: 'v' },
  });
  return {
    type: 'modal' as const,
    callback_id: 'form',
    notify_on_close: true,
    title: plain('Send a message'),
    submit: plain('Send'),
    close: plain('Cancel'),
    blocks: [
      {
        type: 'input' as const,
        block_id: 'template',
        dispatch_action: true,
        label: plain('Template'),
        element: { type: 'external_select' as const, action_id: 'v', min_query_length: 0 },
      },
      ...(template ? [text(`params.0:${template}`, `First value of ${template}`)] : []),
      text('to', 'To'),
    ],
  };
}

export interface PageApp {
  workspace: Workspace;
  carrierUrl: string;
  /** What the app was told, in order. */
  heard: unknown[];
  client: App['client'];
  close(): Promise<void>;
}

/** A workspace, a carrier, and a small app that uses the page in the ways Herald does. */
export async function startPageApp(): Promise<PageApp> {
  const carrier = await startCarrier({ port: 0, apiKey: 'test-key' });
  const workspace = await startWorkspace({
    port: 0,
    botToken: 'xoxb-test',
    appToken: 'xapp-test',
    delivery: { mode: 'socket' },
    carrierUrl: carrier.url,
    phones: [{ number: '+919876500001', name: 'Kavya' }],
    uiDir: new URL('../../sandbox/ui', import.meta.url).pathname,
    manifestPath: new URL('./page-app.yml', import.meta.url).pathname,
  });
  const clientOptions = { slackApiUrl: workspace.apiUrl };
  const receiver = new SocketModeReceiver({
    appToken: 'xapp-test',
    logLevel: LogLevel.ERROR,
    installerOptions: { clientOptions },
  });
  const app = new App({ token: 'xoxb-test', receiver, clientOptions, convoStore: false });
  const heard: unknown[] = [];
  listen(app, heard);
  await app.start();
  return {
    workspace,
    carrierUrl: carrier.url,
    heard,
    client: app.client,
    close: async () => {
      await app.stop();
      await workspace.close();
      await carrier.close();
    },
  };
}

function listen(app: App, heard: unknown[]): void {
  app.command('/form', async ({ ack, body, client }) => {
    heard.push(body.text);
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: form(undefined) });
  });
  app.command('/silent', async () => {});
  app.command('/whisper', async ({ ack }) => {
    await ack({ response_type: 'ephemeral', text: 'Between *us*: <script>alert(1)</script> &lt;b&gt;' });
  });
  app.action('stop', async ({ ack }) => {
    heard.push('stop');
    await ack();
  });
  app.options('v', async ({ ack, payload }) => {
    const all = [option('Order update', 'order'), option('Invoice', 'invoice')];
    await ack({ options: all.filter((one) => one.text.text.toLowerCase().includes(payload.value)) });
  });
  app.action({ action_id: 'v', block_id: 'template' }, async ({ ack, body, client, action }) => {
    await ack();
    if (action.type !== 'external_select' || body.type !== 'block_actions' || !body.view) return;
    await client.views.update({ view_id: body.view.id, view: form(action.selected_option?.value) });
  });
  app.view('form', async ({ ack, view, client, body }) => {
    heard.push(view.state.values);
    const to = view.state.values.to?.v?.value ?? '';
    if (!to.startsWith('+')) {
      await ack({ response_action: 'errors', errors: { to: 'Write the number with its country code.' } });
      return;
    }
    await ack();
    const text = `:white_check_mark: Sent, asked by <@${body.user.id}>`;
    await client.chat.postMessage({ channel: 'C0TEAM', text });
  });
  app.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack }) => {
    heard.push('closed');
    await ack();
  });
}
