/**
 * Block Kit as it reaches the page: JSON that the workspace has validated. Only what the page draws is named;
 * every field is optional, since one interface stands for all types and a drawing must survive a gap.
 */
export interface Text {
  type: 'plain_text' | 'mrkdwn';
  text: string;
  /** Of a plain_text: false shows `:smile:` as these letters. */
  emoji?: boolean;
}

export interface Option {
  text: Text;
  value: string;
  description?: Text;
  url?: string;
}

export interface OptionGroup {
  label: Text;
  options: Option[];
}

export interface Confirm {
  title?: Text;
  text?: Text;
  confirm?: Text;
  deny?: Text;
  style?: 'primary' | 'danger';
}

export interface Element {
  type: string;
  action_id?: string;
  text?: Text | string;
  value?: string;
  url?: string;
  style?: 'primary' | 'danger';
  accessibility_label?: string;
  confirm?: Confirm;
  placeholder?: Text;
  initial_value?: string;
  multiline?: boolean;
  min_length?: number;
  max_length?: number;
  is_decimal_allowed?: boolean;
  min_value?: string;
  max_value?: string;
  dispatch_action_config?: { trigger_actions_on?: ('on_enter_pressed' | 'on_character_entered')[] };
  focus_on_load?: boolean;
  options?: Option[];
  option_groups?: OptionGroup[];
  initial_option?: Option;
  initial_options?: Option[];
  initial_user?: string;
  initial_users?: string[];
  initial_channel?: string;
  initial_channels?: string[];
  initial_conversation?: string;
  initial_conversations?: string[];
  initial_date?: string;
  initial_time?: string;
  initial_date_time?: number;
  default_to_current_conversation?: boolean;
  min_query_length?: number;
  max_selected_items?: number;
  filetypes?: string[];
  max_files?: number;
  image_url?: string;
  slack_file?: { id?: string; url?: string };
  alt_text?: string;
  elements?: RichElement[];
}

/** A node of `rich_text`: a section, list, quote or preformatted, or an inline inside one. */
export interface RichElement {
  type: string;
  elements?: RichElement[];
  style?: 'bullet' | 'ordered' | { bold?: boolean; italic?: boolean; strike?: boolean; code?: boolean };
  indent?: number;
  offset?: number;
  border?: number;
  text?: string;
  url?: string;
  name?: string;
  unicode?: string;
  user_id?: string;
  channel_id?: string;
  usergroup_id?: string;
  range?: string;
  value?: string;
  timestamp?: number;
  format?: string;
  fallback?: string;
}

/** A cell of `table` or `data_table`. */
export interface Cell {
  type: string;
  text?: string;
  value?: number;
  elements?: RichElement[];
}

export interface Block {
  type: string;
  block_id?: string;
  text?: Text | string;
  fields?: Text[];
  accessory?: Element;
  elements?: Element[];
  element?: Element;
  label?: Text;
  hint?: Text;
  optional?: boolean;
  dispatch_action?: boolean;
  level?: 'default' | 'info' | 'warning' | 'error' | 'success';
  image_url?: string;
  slack_file?: { id?: string; url?: string };
  alt_text?: string;
  title?: Text;
  subtitle?: Text;
  body?: Text;
  hero_image?: Element;
  actions?: Element[];
  rows?: Cell[][];
  column_settings?: ({ align?: 'left' | 'center' | 'right'; is_wrapped?: boolean } | null)[];
  caption?: string;
  chart?: Chart;
}

interface Point {
  label: string;
  value: number;
}

/** Of `data_visualization`. */
interface Chart {
  type: string;
  segments?: Point[];
  series?: { name: string; data: Point[] }[];
  axis_config?: { categories: string[]; x_label?: string; y_label?: string };
}

/** What the element's value looks like: Slack's own value object, e.g. `{type: 'plain_text_input', value}`. */
export type Value = Record<string, unknown>;
