/** One word of a command line, or a quoted value. */
export interface Word {
  readonly text: string;
  readonly quoted: boolean;
  /** What Slack linked to, when the word is one link. */
  readonly target?: string;
  /** The quotes around or inside it can be read in more than one way. */
  readonly doubtful: boolean;
  /** True when a line break stands between this word and the one before. */
  readonly newLine: boolean;
}
