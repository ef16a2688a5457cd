/**
 * Slack's limits, in one place. Lengths are characters; Slack does not say how it counts them, so Herald counts
 * UTF-16 code units, the largest of the possible counts. Source: Slack's Block Kit, views and manifest
 * reference pages.
 */
export const LIMITS = {
  /** Blocks of one message. */
  messageBlocks: 50,
  /** Blocks of a modal or of a Home tab. */
  viewBlocks: 100,
  /** All text of one message together, fallback included. */
  messageText: 12_000,
  /** Bytes of a view as JSON. */
  viewBytes: 250_000,
  /** Modals on top of each other. */
  viewStack: 3,

  sectionText: 3000,
  sectionFields: 10,
  sectionFieldText: 2000,
  headerText: 150,
  markdownText: 12_000,
  contextElements: 10,
  actionsElements: 25,

  blockId: 255,
  actionId: 255,
  callbackId: 255,
  privateMetadata: 3000,
  modalTitle: 24,
  modalSubmit: 24,
  modalClose: 24,

  buttonText: 75,
  buttonValue: 2000,
  buttonUrl: 3000,
  selectOptions: 100,
  optionText: 75,
  optionValue: 75,
  optionDescription: 75,
  optionGroupLabel: 75,
  radioOptions: 10,
  checkboxOptions: 10,
  overflowOptions: 5,
  inputLabel: 2000,
  inputHint: 2000,
  placeholder: 150,
  /** What a `plain_text_input` holds. */
  inputValue: 3000,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  fileInputFiles: 10,

  tableRows: 100,
  tableColumns: 20,
  /** Tables in one message. */
  messageTables: 1,

  manifestCommands: 50,
  manifestShortcuts: 10,
  manifestName: 35,
  manifestDescription: 140,

  /** An interaction that is not acknowledged in this time is lost to the person. */
  acknowledgeMs: 3000,
  /** A `trigger_id` opens one view, within this time. */
  triggerMs: 3000,
  responseUrlUses: 5,
  responseUrlMs: 30 * 60_000,
} as const;
