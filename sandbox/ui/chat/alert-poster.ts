import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { deliverNextTwice } from '../api.ts';
import { useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { problemSentence } from '../problems.ts';
import { ALERTS } from './alert-samples.ts';

const SOURCES = ['Grafana', 'Alertmanager', 'PagerDuty', 'Datadog', 'Sentry', 'CloudWatch'] as const;

/** Stands for the machines: posts an alert as each source words it, on demand as an event that Slack delivers twice. */
export function AlertPoster({ channelId }: { channelId: string }): VNode {
  const { perform, notify, bootstrap } = useWorkspace();
  const [twice, setTwice] = useState(false);
  const post = async (source: string) => {
    if (twice && !(await deliverNextTwice())) return notify('The workspace does not answer.');
    const { text = '', ...content } = ALERTS[source.toLowerCase()] ?? {};
    const appId = `A0${source.toUpperCase()}`;
    const result = await perform({ type: 'app_post', appId, channel: channelId, text, ...content });
    if (!result.ok) notify(problemSentence(result, bootstrap.app.name));
  };
  return html`<div class="alert-poster" role="group" aria-label="Post an alert as">
    <span class="input-hint">Post an alert as</span>
    ${SOURCES.map(
      (source) => html`<button type="button" key=${source} class="button button-small"
        onClick=${() => void post(source)}>${source}</button>`,
    )}
    <label class="input-hint"><input type="checkbox" checked=${twice}
      onChange=${(event: Event) => setTwice((event.currentTarget as HTMLInputElement).checked)} /> delivered twice</label>
  </div>`;
}
