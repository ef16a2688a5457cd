import type { SandboxChannel, SandboxUser } from '../protocol.ts';

/** The identities that tests, the tour and the page know by name. */
export const TEAM = { id: 'T0ACME', name: 'Acme', domain: 'acme' } as const;
/** Other workspaces: one of the same organisation, and one of another company. */
export const BRANCH = { id: 'T0BRANCH', name: 'Acme Singapore', domain: 'acme-sg' } as const;
export const PARTNER = { id: 'T0PARTNER', name: 'Partner', domain: 'partner' } as const;
export const APP = { id: 'A0HERALD', botId: 'B0HERALD', botUserId: 'U0HERALD' } as const;

export interface OtherApp {
  id: string;
  botId: string;
  name: string;
}

export interface UserGroup {
  id: string;
  handle: string;
  name: string;
  userIds: string[];
}

/** The organisation that a workspace is one of several of. */
export interface Organisation {
  id: string;
  name: string;
  /** The app is installed for all of its workspaces at once. */
  isInstalled: boolean;
}

export interface WorkspaceSeed {
  users: SandboxUser[];
  channels: SandboxChannel[];
  userGroups: UserGroup[];
  otherApps: OtherApp[];
}

/** Whom the page acts as when it opens. */
export const DEFAULT_USER_ID = 'U0ASHA';

/**
 * A small team that can play every part: Asha sends, Ravi and Mei approve, Gil is a guest who may not. Their
 * time zones differ so that a time shown to one is not by chance right for all.
 *
 * @param botName the name the app's bot goes by
 * @param isReadOnly whether the conversation with the app has a composer
 * @param withOthers also Noor of another workspace of the same organisation, Lena of another company's, and the channel
 * that is shared with the latter
 */
export function seedWorkspace(botName: string, isReadOnly: boolean, withOthers: boolean): WorkspaceSeed {
  const users: SandboxUser[] = [
    person('U0ASHA', 'asha', 'Asha Nair', 'Asia/Kolkata', '#7a4fd0'),
    person('U0RAVI', 'ravi', 'Ravi Menon', 'Asia/Kolkata', '#c2541b'),
    person('U0MEI', 'mei', 'Mei Tan', 'Asia/Singapore', '#0f7b6c'),
    { ...person('U0GUEST', 'gil', 'Gil Okafor', 'Europe/London', '#a3325f'), isGuest: true },
    { ...person(APP.botUserId, botName.toLowerCase(), botName, 'Etc/UTC', '#2d5bd1'), isBot: true },
  ];
  const noor = { ...person('U0NOOR', 'noor', 'Noor Aziz', 'Asia/Singapore', '#356a9a'), team: BRANCH.id };
  const lena = { ...person('U0LENA', 'lena', 'Lena Vogt', 'Europe/Berlin', '#6a7a1f'), team: PARTNER.id };
  const others = withOthers ? [noor, lena] : [];
  const everyone = users.map((user) => user.id);
  const staff = everyone.filter((id) => id !== 'U0GUEST');
  return {
    users: [...users, ...others],
    channels: [
      ...(withOthers
        ? [sharedChannel(['U0ASHA', 'U0RAVI', APP.botUserId, ...others.map(({ id }) => id)])]
        : []),
      channel('C0TEAM', 'team', 'Messages to customers, day to day', everyone),
      channel('C0APPROVALS', 'approvals', 'Bulk sends wait here for approval', staff),
      channel('C0ALERTS', 'alerts', 'What the machines say', staff),
      {
        ...channel('C0PRIVATE', 'managers-only', 'Herald is not in here', ['U0RAVI', 'U0MEI']),
        isPrivate: true,
      },
      ...users.filter((user) => !user.isBot).map((user) => directMessage(user, isReadOnly)),
    ],
    userGroups: [
      { id: 'S0MANAGERS', handle: 'managers', name: 'Managers', userIds: ['U0RAVI', 'U0MEI'] },
      { id: 'S0SUPPORT', handle: 'support', name: 'Support', userIds: ['U0ASHA'] },
    ],
    otherApps: ['Grafana', 'Alertmanager', 'PagerDuty', 'Datadog', 'Sentry', 'CloudWatch'].map(otherApp),
  };
}

/** An app that posts alerts, e.g. A0GRAFANA with its bot B0GRAFANA. */
function otherApp(name: string): OtherApp {
  return { id: `A0${name.toUpperCase()}`, botId: `B0${name.toUpperCase()}`, name };
}

function person(id: string, name: string, realName: string, tz: string, color: string): SandboxUser {
  return { id, name, realName, isBot: false, isGuest: false, tz, color };
}

function channel(id: string, name: string, topic: string, memberIds: string[]): SandboxChannel {
  return { id, name, isPrivate: false, kind: 'channel', memberIds, topic };
}

function sharedChannel(memberIds: string[]): SandboxChannel {
  return {
    ...channel('C0SHARED', 'with-partner', 'Shared with Partner', memberIds),
    sharedWith: [PARTNER.id],
  };
}

/** A person's conversation with the app, e.g. D0ASHA. */
function directMessage(user: SandboxUser, isReadOnly: boolean): SandboxChannel {
  return {
    id: `D${user.id.slice(1)}`,
    name: user.name,
    isPrivate: true,
    kind: 'im',
    userId: user.id,
    memberIds: [user.id, APP.botUserId],
    topic: '',
    ...(isReadOnly ? { isReadOnly } : {}),
  };
}
