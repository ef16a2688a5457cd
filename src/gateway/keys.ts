/*
 * The one table of the names under which services say what Herald looks for, in answers and in webhooks. Names are
 * normalised: without case, blanks, `_` and `-`. Lists are in the order in which they are believed.
 */

const names = (text: string): readonly string[] => text.split(' ');
const set = (text: string): ReadonlySet<string> => new Set(names(text));

/** Code keys that are about failure by their own name. */
export const ERROR_CODE_KEYS = set('errorcode errcode errorsubcode failurecode ierrcode deliveryerrorcode');
/** Keys whose whole purpose is to hold a code. */
export const CODE_KEYS: ReadonlySet<string> = new Set([
  ...names('code subcode httpcode httpstatus httpstatuscode reasoncode responsecode resultcode returncode'),
  'statuscode',
  ...ERROR_CODE_KEYS,
]);
/** Objects that hold what went wrong. */
export const ERROR_CONTAINERS = set('error errors err exception failure failures fault');
/** Objects that wrap an answer without changing what it is about: `product: {code: 100}` is none of them. */
export const ENVELOPES: ReadonlySet<string> = new Set([
  ...ERROR_CONTAINERS,
  ...names('body data detail details message messages meta response responses result results status'),
]);
/** Keys that say in one word, or by a number, how it went. */
export const STATUS_KEY =
  /(?:status|state)(?:text|message|msg|name|desc|description|string)?$|^(?:dlr|stat)$/;
/** What stands in an object of such a name and says it. */
export const STATUS_WORD_KEYS = names('name groupname status state code type desc description detail');
/** Keys that say what kind of event a body tells of. */
export const EVENT_KEY =
  /^(?:event|type|topic|function|action|kind)(?:type|name|webhook)?$|(?:event|message|msg|notification|webhook|update)type$|^webhookevent$/;
export const DIRECTION_KEY = /^(?:message|msg|sms)?direction$/;

/** The service's name of a message, the one that its answer gave first. */
export const MESSAGE_ID_KEYS = [
  ...names('gsid messageid msgid messageuuid smsid wamid smessageid messagesid smssid apimessageid umid mid'),
  ...names('whatsappmessageid idmessage deliverymessageid'),
];
/** Names of a message where no better one is, and of the request that it went with. */
export const REQUEST_ID_KEYS = names('sid referenceid requestid batchid trackingid bulkid ackid guid');
