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
  ...names(
    'body data detail details message messages meta payload reason response responses result results status',
  ),
]);
/** Keys that may hold a code or something else: believed for the six-digit codes, never for 100. */
export const AMBIGUOUS_KEYS: ReadonlySet<string> = new Set(['', ...names('error errors err errno status')]);
/** What names the field of a request that an answer blames. */
export const FIELD_KEYS = set('field fieldname param parameter parametername property target');
export const DETAIL_KEYS = set('detail details description message');
/** Keys that say by true or false whether all is well. */
export const FLAGS = set(
  'success successful issuccess issuccessful succeeded ok accepted sent submitted queued return result status response valid',
);
/** Those for which 0 means false; elsewhere it counts something, or is C's word for success. */
export const ZERO_IS_FALSE = set('success successful issuccess succeeded ok');
/** Where a plain `id` of an answer is the message's: at the top and in these. `template: {id}` is not. */
export const MESSAGE_CONTAINERS = set(
  'body data message messages payload response responses result results smsmessage',
);
/** The service's name of a message, in its answer and in its reports; in reports best the one that its answer gave. */
export const MESSAGE_ID_KEYS = names(
  'gsid messageid msgid messageuuid messagesid smssid smsid wamid smessageid apimessageid umid mid whatsappmessageid ncmessageid deliverymessageid',
);
export const PLAIN_ID_KEYS = ['id', 'uuid'];
/** Names of the request that a message went with, or of its first part. */
export const REQUEST_ID_KEYS = names(
  'sid requestid transactionid trackingid referenceid jobid parentmessageuuid batchid bulkid ackid guid externalid',
);
export const MESSAGE_IDS: ReadonlySet<string> = new Set(MESSAGE_ID_KEYS);
/** Best first: what names a message, then what names the thing answered about, then what names the request. */
export const ANSWER_IDS_BY_RANK = [MESSAGE_IDS, new Set(PLAIN_ID_KEYS), new Set(REQUEST_ID_KEYS)];

/** Keys that say in one word, or by a number, how it went. */
export const STATUS_KEY =
  /(?:status|state)(?:text|message|msg|name|desc|description|string)?$|^(?:dlr|stat)$/;
/** What stands in an object of such a name and says it. */
export const STATUS_WORD_KEYS = names('name groupname status state value code type desc description detail');
/** Keys that say what kind of event a body tells of, and which way a message went. */
export const EVENT_KEYS = names(
  'event eventtype eventname type typewebhook topic function action messagetype msgtype notificationtype webhookevent updatetype',
);
export const DIRECTION_KEYS = names('direction messagedirection');

export const EVENT_ID_KEYS = names(
  'id messageid msgid wamid eventid uuid messageuuid idmessage inboundmessageid umid',
);
export const CONTEXT_KEYS = names('context quoted replyto inreplyto');
export const CONTEXT_ID_KEYS = names(
  'contextid contextmessageid inreplyto replyto replytomessageid quotedmessageid originalmessageid pairedmessageid relatedmessageid previouspublishedmessageid contextmessageuuid stanzaid',
);

/** What names a sender; the others may name the customer whoever sent. */
export const FROM_KEYS = names(
  'from sender originator originationnumber fromnumber fromaddress source sourceaddress sourcenumber senderphonenumber',
);
export const SENDER_KEYS = [
  ...FROM_KEYS,
  ...names(
    'waid customer customernumber contactnumber contact user channelidentity identity senderdata msisdn',
  ),
  ...names('mobile mobilenumber phone phonenumber number'),
];
export const RECIPIENT_KEYS = names(
  'recipientid recipient recipientnumber msisdn to tonumber destaddr destination destinationaddress destinationnumber destinationphonenumber mobile mobilenumber smobileno number phone phonenumber waid customernumber contactnumber channelidentity receiver senderphonenumber from source',
);
/** Where the number stands in an object that is a person. */
export const NUMBER_PARTS = names(
  'phone phonenumber msisdn number waid to identity identifiervalue channelphonenumber sender address contact contacts',
);
export const TEXT_KEYS = names(
  'text message body content msg messagetext messagebody keyword contents contactmessage textmessage messagedata textmessagedata texttype smsbody smstext response reply',
);
export const REPLY_KEYS = names('buttonreply listreply reply');
/** The document writes `reply.id`: some services take that for the name of one key. */
export const REPLY_ID_KEYS = names(
  'reply.id buttonreply.id listreply.id replyid buttonid buttonpayload postbackdata postbackpayload listid rowid selectedbuttonid',
);
export const REPLY_TITLE_KEYS = names(
  'reply.title buttonreply.title listreply.title replytitle buttontitle buttontext listtitle title displaytext selectedbuttontext text',
);
/** What belongs to the item that holds it, and not to one of its own. */
export const ITEM_PARTS = names(
  'message sms notification notificationattributes events delivery data payload',
);
/** They have numbers and ids of their own, but nothing happens in them. */
export const ABOUT_PEOPLE = set(
  'contact contacts context customer from metadata profile quoted quotedmessage recipient recipients sender senderdata receiver to user channelidentity instancedata',
);
/** What may hold JSON as text, and those of them that may hold a customer's words as well. */
export const JSON_KEYS = set('payload data json event response messages whatsappwebhookentry entry');
export const JSON_OR_WORDS_KEYS = set('body message content');
