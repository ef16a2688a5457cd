import type { DeliveryStatus } from '../sends/replies/event.ts';

/*
 * The one table of the names and words by which services say what Herald looks for, in answers and in webhooks; docs/wire.md
 * says what is read of them. Names are normalised: without case, blanks, `_` and `-`. Lists are in the order in which they
 * are believed.
 */

const names = (text: string): readonly string[] => text.split(' ');
const set = (text: string): ReadonlySet<string> => new Set(names(text));

/** Code keys that are about failure by their own name. */
export const ERROR_CODE_KEYS = set(
  'errorcode errcode errorsubcode failurecode ierrcode deliveryerrorcode faultcode exceptioncode',
);
/** Keys whose whole purpose is to hold a code. */
export const CODE_KEYS = ERROR_CODE_KEYS.union(
  set(
    'code subcode statuscode httpcode httpstatus httpstatuscode reasoncode responsecode resultcode returncode replycode retcode respcode',
  ),
);
/** Objects that hold what went wrong. */
export const ERROR_CONTAINERS = set('error errors err exception failure failures fault');
/** Objects that wrap an answer without changing what it is about: `product: {code: 100}` is none of them. */
export const ENVELOPES = ERROR_CONTAINERS.union(
  set(
    'body data detail details message messages meta payload reason response responses result results status',
  ),
);
/** Keys that may hold a code or something else: believed for the six-digit codes, never for 100. */
export const AMBIGUOUS_KEYS: ReadonlySet<string> = new Set(['', ...names('error errors err errno status')]);
/** What names the field of a request that an answer blames. */
export const FIELD_KEYS = set('field fieldname param parameter parametername property target');
export const DETAIL_KEYS = set('detail details description message');
/** Keys that say by true or false whether all is well; an answer that is one has none. */
export const FLAGS = set(
  ' success successful issuccess issuccessful succeeded ok accepted sent submitted queued return result status response valid isvalid validwhatsappnumber',
);
/** Those for which 0 means false; elsewhere it counts something, or is C's word for success. */
export const ZERO_IS_FALSE = set('success successful issuccess succeeded ok');
/** A plain `id` is the message's at the top of an answer and in these members. `template: {id}` is not. */
export const MESSAGE_CONTAINERS = set(
  'body data message messages payload response responses result results sendstatusset smsmessage',
);
/** The service's name of a message, in its answer and in its reports; in reports best the one that its answer gave. */
export const MESSAGE_ID_KEYS = names(
  'gsid messageid msgid ids idmessage smsmsgid submittedmessageid serialno bizid messageuuid messagesid smssid smsid wamid smessageid apimessageid umid mid whatsappmessageid ncmessageid deliverymessageid',
);
export const PLAIN_ID_KEYS = ['id', 'uuid'];
/** Names of the request that a message went with, or of its first part. */
export const REQUEST_ID_KEYS = names(
  'sid messagerequestid requestid transactionid trackingid referenceid jobid parentmessageuuid batchid bulkid ackid guid externalid',
);
export const MESSAGE_IDS: ReadonlySet<string> = new Set(MESSAGE_ID_KEYS);
/** Best first: what names a message, then what names the thing answered about, then what names the request. */
export const ANSWER_IDS_BY_RANK = [MESSAGE_IDS, new Set(PLAIN_ID_KEYS), new Set(REQUEST_ID_KEYS)];

/** Entries by place or by number: `data: {"0": {…}}`, `{"+9198…": {…}}`. */
export const ENTRY_NAME = /^\+?\d+$/;
/** Besides the known envelopes, whatever is called like one, `SubmitResponse`, `messageData`; and the name of an entry. */
export const ENVELOPE_NAME =
  /^\+?\d+$|(?:response|result|data|message|msg|report|recipient|status|payload|sms|whatsapp|rcs|detail|output|set|list|item|entrie)s?$/;
/** What an answer may hold besides the message: what became of these says nothing of it. */
export const OTHER_THING =
  /^(?:account|app|balance|brand|callback|campaign|carrier|compan|countr|currenc|customer|language|link|locale|media|network|operator|plan|pricing|product|profile|project|region|subscription|template|user|wallet|webhook|workspace)(?:y|s|ies|info|data|details?)?$/;
/** Keys that speak of an error, or name those who were refused, whenever their value says anything. */
export const ERROR_KEY =
  /^(?:is|has|num|total)?(?:err|errors?|exceptions?|failures?|failed|faults?|rejected|refused|invalid|undelivered|unsent|notsent|blocked|blacklisted|dnd|skipped|incorrect|wrong|duplicated?|optedout|unsubscribed)(?:s|no|message|msg|texts?|desc|description|details?|reasons?|title|info|type|name|string|count|list|total|numbers?|nums?|recipients?|receivers?|messages?|contacts?|msisdns?|mobiles?|phones?|ids?)?$|(?:error|exception|fault)s?$/;
/** Error keys that hold a code or a sentence. */
export const CODE_OR_TEXT = set('error err errno fault');
/** Keys of those who were taken, or of how many: `accepted`, `successCount`, `totalSent`. */
export const TAKEN_KEY =
  /^(?:num|numberof|total|messages?)?(?:accepted|success(?:ful|fully)?|succeeded|sent|submitted|queued|delivered|processed)(?:count|total|numbers?|recipients?|messages?|list|ids?)?$/;
export const WORD_KEYS = set('result response return type outcome level');
export const SENTENCE_KEY =
  /^(?:reply|response|resp|result|return|status)?(?:message|msg|text|description|desc|reason|remarks?|info|details?)$/;
/** The word of a service itself; `accountStatus` and the like only speak of failures. */
export const OWN_STATUS = /^(?:(?:message|msg|sms|delivery|send|submit|request|response)?(?:status|state))?$/;
/** Keys that say in one word, or by a number, how it went. */
export const STATUS_KEY =
  /(?:status|state)(?:text|message|msg|name|desc|description|string)?$|^(?:dlr|stat)$/;
/** What stands in an object of such a name and says it. */
export const STATUS_WORD_KEYS = names('name groupname status state value code type desc description detail');
/** Keys that say what kind of event a body is about, and which way a message went. */
export const EVENT_KEYS = names(
  'event eventtype eventname type typewebhook topic function action messagetype msgtype notificationtype webhookevent updatetype',
);
export const DIRECTION_KEYS = names('direction messagedirection');

export const EVENT_ID_KEYS = names(
  'id messageid messagesid msgid wamid eventid uuid messageuuid idmessage inboundmessageid umid',
);
export const CONTEXT_KEYS = names('context quoted replyto inreplyto');
export const CONTEXT_ID_KEYS = names(
  'contextid contextmessageid inreplyto replyto replytomessageid quotedmessageid originalmessageid pairedmessageid relatedmessageid previouspublishedmessageid contextmessageuuid stanzaid',
);

/** What names a sender; the others may name the customer whoever sent. */
export const FROM_KEYS = names(
  'from sender smsfrom originator originationnumber fromnumber fromaddress source sourceaddress sourcenumber senderphonenumber',
);
export const SENDER_KEYS = [
  ...FROM_KEYS,
  ...names(
    'waid customer customernumber contactnumber contact user channelidentity identity senderdata msisdn',
  ),
  ...names('mobile mobilenumber phone phonenumber number'),
];
/** What holds a recipient's number in an entry of an answer; `from` and `sender` hold ours there. */
export const NUMBER_KEY =
  /^(?:to|waid|(?:dest|destination|recipient|receiver|mobile|phone|contact|submitted)?(?:address|number|no|phone|msisdn)?)$/;
export const NUMBER = /^(?:[a-z]{1,12}:)?[+(\d][\d\s().-]{6,24}$/i;
/** What names a recipient and nobody else. */
export const TO_KEYS = names('to smsto recipient recipientid tonumber destination destaddr');
export const RECIPIENT_KEYS = names(
  'recipientid recipient recipientnumber msisdn to smsto tonumber destaddr destination destinationaddress destinationnumber destinationphonenumber mobile mobilenumber smobileno number phone phoneno phonenumber dest waid customernumber contactnumber channelidentity receiver senderphonenumber from source',
);
/** Keys of the number in an object that is a person. */
export const NUMBER_PARTS = names(
  'phone phonenumber msisdn number waid to identity identifiervalue channelphonenumber sender address contact contacts',
);
export const TEXT_KEYS = names(
  'text message body content messagecontent msg messagetext messagebody keyword contents contactmessage textmessage messagedata textmessagedata texttype smsbody smstext response reply',
);
/** Beside a status it is what a service keeps of us. */
export const TEXT_KEYS_WITHOUT_STATUS = [...TEXT_KEYS, 'userdata'];
export const REPLY_KEYS = names('buttonreply listreply reply');
/** The document writes `reply.id`: some services take that for the name of one key. */
export const REPLY_ID_KEYS = names(
  'reply.id buttonreply.id listreply.id replyid buttonid buttonpayload postbackdata postbackpayload rowid selectedbuttonid',
);
export const REPLY_TITLE_KEYS = names(
  'reply.title buttonreply.title listreply.title replytitle buttontitle buttontext listtitle title displaytext selectedbuttontext text',
);
/** What a customer may send besides words, by the names of fields and the kinds that say so; what says most first. */
export const SENT_THINGS: readonly (readonly [RegExp, string])[] = [
  [/^sticker/, 'a sticker'],
  [/^(?:image|picture|photo)/, 'a picture'],
  [/^video/, 'a video'],
  [/^(?:voice|audio|ptt)/, 'a voice message'],
  [/^(?:location|latitude)/, 'a place'],
  [/^(?:contacts|vcard)|^contact$/, 'a contact'],
  [/^order/, 'an order'],
  [/^(?:document|application)/, 'a document'],
  [/^(?:user)?file|^media|^attachment/, 'a file'],
];
/** Keys that say what kind of thing was sent. */
export const THING_KIND =
  /^(?:(?:message|content|messagecontent|filemime|mediacontent|mime)?type\d?|typemessage)$/;
export const CAPTION = /caption$|^alttext$/;
/** What belongs to the item that holds it, and not to one of its own. */
export const ITEM_PARTS = names(
  'message sms notification notificationattributes events delivery data payload',
);
/** They have numbers and ids of their own, but nothing happens in them. */
export const ABOUT_PEOPLE = set(
  'contact contacts context customer from metadata profile quoted quotedmessage recipient recipients sender senderdata receiver system to user channelidentity instancedata',
);
/** What may hold JSON as text, and those of them that may hold a customer's words as well. */
export const JSON_KEYS = set('payload data json event response messages whatsappwebhookentry entry');
export const JSON_OR_WORDS_KEYS = set('body message content');

export const SUCCESS_CODE = /^(?:(?:[a-z]{1,4}[_-]?)?0+|2\d\d|2000)$/;
export const SUCCESS_WORD =
  /^(?:ok|okay|success|successful|successfully|succeeded|accepted|submitted|queued|sent|done|created|pending|processed|true)$/;
export const SAYS_NOTHING = /^(?:0*|false|n|no|none|null|nil|undefined|n\/a|na|-|no[ _]?errors?)$/;
/** Numbers that a status may be without a failure, and codes and statuses of what was taken. */
export const GOOD_NUMBER = /^(?:0+|1|2\d\d)$/;
export const TAKEN_CODE = /^2\d\d$/;
/** `401`, `E101`, `A413`: digits, with letters or without, where a status has a word. */
export const CODE_FOR_WORD = /^(?:-?\d+|[a-z]{1,4}[_-]?\d{2,6})$/i;
/** A web page, as a proxy may show one, JSON that broke off, bytes that are no text: none is a word of the service. */
export const NO_WORD = /^(?:<!doctype html|<html|<head|<body|[{[]|null$)|\ufffd/i;

/** What a service's word, or sentence, says of a message; `fine` means no more than a request that was taken. */
export type Said = DeliveryStatus | 'fine';

/** Longer texts are no status, and their beginning says as much. */
export const MOST_READ = 400;

/*
 * Status words. Services write NO-CREDITS, UserInBlacklist and "Not enough credit", so words are known by their
 * beginnings, in lower case and with blanks for all signs.
 */

/** Counts of nobody, and errors that there are not. What could not be called back, or is not reported on, may have arrived. */
const NO_ERROR = /\b(?:no|without|0) (?:err|fail)[a-z]*|\brevo(?:ke|cation) fail[a-z]*/g;
const NOT_REPORTED = 'notification not supported';
/** Looked for first, because a count of failures may follow: "Sent: 0, Failed: 1". */
const SENT_TO_NOBODY = /\b(?:0 (?:messages?|sms) sent|sent (?:to )?0)\b/;
const COUNT_OF_NOBODY = /\b(?:err|fail|reject|invalid|block)[a-z]{0,9} 0{1,5}\b/g;
const FAILED =
  /\b(?:abort|absent|bad\b|banned|barred|black ?list|block|bounce|cancel|cannot|deactiv|dead\b|delet|den[iy]|disabled|discard|dnc|dnd|do not disturb|drop|err|except|fail|false|fault|forbidden|fraud|impossible|inactive|incorrect|insufficient|inv\b|invalid|ko\b|mismatch|missing|ndnc|no (?:account|balance|cover|credit|fund|match|network|number|perm|recip|route|sender|such|templ|valid)|nok\b|non ?deliv|not(?:\b|accept|allow|auth|deliv|found|opt|regist|sent|valid)|opt(?:ed)? ?out|queue full|refus|rej|revok|skipp|spam|stopped|suspen|throttl|timed? ?out|too\b|un(?:able|alloc|assign|auth|avail|deliv|known (?:err|sub)|permi|reach|regist|rout|sent|subscribed|success|support|verif)|violat|wrong)/;
/** What is a failure only where nothing beside it speaks of a success: "queued, your balance is 20". */
const FAILED_ALONE =
  /\b(?:balance|credit|duplicate|exceed|expir|exist|fund|kredit|limit|max|over|quota|rate|try (?:again )?later)/;
/** What its reader deleted has arrived. */
const DELETED = /^(?:message )?deleted\b/;
const READ = /\b(?:read|seen|played|displayed|opened|viewed)\b/;
const DELIVERED = /\b(?:delivered|device ack|delivrd|deliverd|dlvrd|received by (?:recipient|handset))\b/;
const ON_THE_WAY = /\bdelivered to (?:gateway|network|operator|carrier|smsc|upstream|provider)\b/;
const SENT =
  /\b(?:accept|await|buffer|dispatch|en ?queue|en ?route|forward|in progress|pending|process|queue|relayed|releas|rout(?:ed|ing)|schedul|sen[dt]\b|sending|start|submit|transmit|waiting\b)/;
const SUCCESS = /\bsuccess/;
const FINE =
  /\b(?:ok|okay|done|created|complete|finished|received|running|saved|stored|true|y|yes)\b|^(?:message )?id\b/;

/** A service answers with the same few words a million times. Bounded, because words come from outside. */
const known = new Map<string, Said | undefined>();
const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 40;

/** What words say; undefined where they say nothing that is known here. A failure wins over whatever stands beside it. */
export function saidIn(words: string): Said | undefined {
  const isKept = words.length <= LONGEST_KNOWN && known.size < MOST_KNOWN;
  if (isKept && !known.has(words)) known.set(words, meaningOf(words));
  return known.has(words) ? known.get(words) : meaningOf(words);
}

function meaningOf(words: string): Said | undefined {
  const all = plain(words);
  if (SENT_TO_NOBODY.test(all)) return 'failed';
  const said = all
    .replaceAll(NOT_REPORTED, 'ok')
    .replaceAll(NO_ERROR, 'ok')
    .replaceAll(COUNT_OF_NOBODY, 'ok');
  if (DELETED.test(said)) return undefined;
  if (FAILED.test(said)) return 'failed';
  if (READ.test(said)) return 'read';
  if (DELIVERED.test(said)) return ON_THE_WAY.test(said) ? 'sent' : 'delivered';
  if (SENT.test(said)) return 'sent';
  if (SUCCESS.test(said)) return 'delivered';
  if (FINE.test(said)) return 'fine';
  return FAILED_ALONE.test(said) ? 'failed' : undefined;
}

export function isTaken(words: string): boolean {
  return (saidIn(words) ?? 'failed') !== 'failed';
}

/** `UserInBlacklist`, `USER_IN_BLACKLIST` and `User in blacklist` as one. */
export function plain(words: string): string {
  return words
    .slice(0, MOST_READ)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}
