import type {
  Act,
  ActResult,
  Bootstrap,
  CarrierFault,
  CustomerReply,
  Reports,
  Sentinel,
  SlackFile,
} from '../protocol.ts';
import { TAB } from './tab.ts';

/** Everything the page asks of the two servers. A server that does not answer is an outcome, not an exception. */

export async function loadBootstrap(): Promise<Bootstrap> {
  const response = await fetch('/page/bootstrap');
  if (!response.ok) throw new Error(`The workspace answered ${response.status}.`);
  return (await response.json()) as Bootstrap;
}

const UNREACHABLE: ActResult = {
  ok: false,
  error: 'workspace_unreachable',
  message: 'The workspace server does not answer. Is the sandbox still running?',
};

/** Does on a person's behalf what Slack's client would do. */
export async function act(what: Act): Promise<ActResult> {
  try {
    const response = await postJson('/page/act', { ...what, tab: TAB });
    return (await response.json()) as ActResult;
  } catch {
    return UNREACHABLE;
  }
}

export type UploadResult = { ok: true; file: SlackFile } | { ok: false; message: string };

export async function uploadFile(as: string, file: File): Promise<UploadResult> {
  const query = new URLSearchParams({ as, name: file.name });
  try {
    const response = await fetch(`/page/upload?${query}`, {
      method: 'POST',
      body: file,
      headers: { 'content-type': file.type || 'application/octet-stream' },
    });
    const answer = (await response.json()) as { ok: boolean; file?: SlackFile; error?: string };
    if (answer.ok && answer.file) return { ok: true, file: answer.file };
    return { ok: false, message: `${file.name} was not uploaded: ${answer.error ?? response.status}.` };
  } catch {
    return { ok: false, message: `${file.name} was not uploaded: the workspace server does not answer.` };
  }
}

/** The next thing that the app is told, it is told twice. */
export async function deliverNextTwice(): Promise<boolean> {
  return succeeds(postJson('/page/faults', { faults: [{ on: 'delivery', times: 1, do: 'duplicate' }] }));
}

export async function setCarrierFaults(carrierUrl: string, faults: CarrierFault[]): Promise<boolean> {
  return succeeds(postJson(`${carrierUrl}/carrier/faults`, faults));
}

export async function setReports(carrierUrl: string, reports: Reports): Promise<boolean> {
  return succeeds(postJson(`${carrierUrl}/carrier/reports`, { reports }));
}

export async function dismissFlash(carrierUrl: string, number: string, id: string): Promise<boolean> {
  return succeeds(postJson(`${carrierUrl}/carrier/dismiss`, { number, id }));
}

/** Does on a phone what a customer would do. Resolves to what went wrong, in words; undefined when all is well. */
export async function answerOnPhone(carrierUrl: string, reply: CustomerReply): Promise<string | undefined> {
  try {
    const response = await postJson(`${carrierUrl}/carrier/reply`, reply);
    if (response.ok) return undefined;
    const { error } = (await response.json()) as { error?: string };
    return error ?? `The carrier answered ${response.status}.`;
  } catch {
    return 'The carrier does not answer.';
  }
}

export async function resetCarrier(carrierUrl: string): Promise<boolean> {
  return succeeds(postJson(`${carrierUrl}/carrier/reset`, {}));
}

export async function loadSentinels(carrierUrl: string): Promise<Sentinel[]> {
  return (await getJson<Sentinel[]>(`${carrierUrl}/carrier/sentinels`)) ?? [];
}

async function getJson<T>(url: string): Promise<T | undefined> {
  try {
    const response = await fetch(url);
    return response.ok ? ((await response.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}

function postJson(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function succeeds(request: Promise<Response>): Promise<boolean> {
  try {
    return (await request).ok;
  } catch {
    return false;
  }
}
