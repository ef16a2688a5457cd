/*
 * The limits of `messages`, each with its source: the interface document of the messaging service, Slack's inputs and
 * options, or the SMS standards GSM 03.38 and 03.40.
 */

/** Most characters (code points) a text field takes. Slack: a plain-text input holds 3000. */
export const TEXT_MAX_CHARACTERS = 3000;

/** Most characters of an option's value in a select, such as a template's name. Slack: 75. */
export const CHOICE_VALUE_MAX_CHARACTERS = 75;

/** Most options of a select. Slack: 100. */
export const CHOICES_MAX = 100;

/** Most placeholders of a template. Slack: a form has at most 100 blocks, and a placeholder takes four of them. */
export const PLACEHOLDERS_MAX = 20;

/** Shape of a chat-app template's name. Interface document: only lowercase alphanumeric characters and underscores. */
export const CHATAPP_TEMPLATE_NAME_PATTERN = /^[a-z0-9_]+$/;

/** Cards of an RCS rich-card carousel. RCS Universal Profile: 2 to 10. */
export const CAROUSEL_MIN_CARDS = 2;
export const CAROUSEL_MAX_CARDS = 10;

/** Header media link. Interface document: the URL starts with http:// or https://. */
export const LINK_PATTERN = /^https?:\/\//i;

/** Image formats of header media. Interface document: JPG, JPEG or PNG, judged here by the URL's path. */
export const IMAGE_EXTENSION_PATTERN = /\.(?:jpe?g|png)$/i;

/** Largest header image in megabytes. Interface document; looked at with `media.check`. */
export const IMAGE_MAX_MEGABYTES = 5;

/** Septets of one SMS in the GSM 7-bit alphabet, alone and as a part of a longer message. GSM 03.40. */
export const GSM_UNITS_ALONE = 160;
export const GSM_UNITS_PER_PART = 153;

/** UTF-16 units of one SMS in UCS-2, alone and as a part of a longer message. GSM 03.40. */
export const UCS2_UNITS_ALONE = 70;
export const UCS2_UNITS_PER_PART = 67;

/** Most digits of an emergency or short service number. Only used for the error's words: numbering plans decide validity. */
export const SHORT_CODE_MAX_DIGITS = 6;

/**
 * Interactive messages. Interface document, "Interactive object" and "Limits". Counted in UTF-16 code units, of which an
 * emoji has two or more: the interface document does not say how to count, and this is the largest possible count.
 */
export const INTERACTIVE_LIMITS = {
  body: 1024,
  footer: 60,
  header: 60,
  buttonTitle: 20,
  buttonId: 256,
  buttons: 3,
  sections: 10,
  // Published limits of lists, beyond the interface document's (docs/wire.md, "Interactive list").
  listButton: 20,
  sectionTitle: 24,
  rowTitle: 24,
  rowDescription: 72,
  rowId: 200,
  /** Rows of all sections together. */
  rows: 10,
} as const;

/** Chat apps take messages without a template so long after a customer's last words, and refuse later ones (code 131047). */
export const TEXT_AFTER_WORDS_MS = 24 * 60 * 60_000;

/** Post codes of address messages. Interface document, "Address fields". */
export const POST_CODE_MAX_CHARACTERS = 6;

/** Most saved addresses in a form. Slack: 100 blocks; an Indian address takes twelve. */
export const MOST_SAVED_ADDRESSES = 3;
