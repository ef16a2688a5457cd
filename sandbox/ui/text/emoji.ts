/** The names a team is likely to write, and the character each stands for. */
// biome-ignore format: one row holds several names, or this would be two hundred lines of nothing
const CHARACTERS: Readonly<Record<string, string>> = {
  '+1': '👍', thumbsup: '👍', '-1': '👎', thumbsdown: '👎', clap: '👏', wave: '👋', raised_hands: '🙌', pray: '🙏',
  ok_hand: '👌', point_right: '👉', point_left: '👈', point_up: '☝️', point_down: '👇', muscle: '💪', eyes: '👀', hand: '✋',
  raised_hand: '✋', writing_hand: '✍️', handshake: '🤝', smile: '😄', smiley: '😃', grinning: '😀', grin: '😁', joy: '😂',
  laughing: '😆', sweat_smile: '😅', slightly_smiling_face: '🙂', wink: '😉', blush: '😊', heart_eyes: '😍', thinking_face: '🤔',
  neutral_face: '😐', cry: '😢', sob: '😭', disappointed: '😞', scream: '😱', rage: '😡', sunglasses: '😎', robot_face: '🤖',
  heart: '❤️', broken_heart: '💔', blue_heart: '💙', green_heart: '💚', sparkles: '✨', star: '⭐', star2: '🌟', tada: '🎉',
  confetti_ball: '🎊', gift: '🎁', fire: '🔥', boom: '💥', zap: '⚡', rocket: '🚀', bulb: '💡', gear: '⚙️', wrench: '🔧',
  hammer: '🔨', hammer_and_wrench: '🛠️', lock: '🔒', unlock: '🔓', key: '🔑', shield: '🛡️', link: '🔗', pushpin: '📌',
  round_pushpin: '📍', paperclip: '📎', memo: '📝', pencil: '📝', pencil2: '✏️', clipboard: '📋', page_facing_up: '📄',
  file_folder: '📁', books: '📚', bookmark: '🔖', label: '🏷️', chart_with_upwards_trend: '📈', bar_chart: '📊',
  calendar: '📆', date: '📅', spiral_calendar_pad: '🗓️', alarm_clock: '⏰', stopwatch: '⏱️', hourglass: '⌛',
  hourglass_flowing_sand: '⏳', watch: '⌚', phone: '☎️', telephone_receiver: '📞', iphone: '📱', calling: '📲', email: '✉️',
  envelope: '✉️', incoming_envelope: '📨', mailbox: '📫', outbox_tray: '📤', inbox_tray: '📥', speech_balloon: '💬',
  left_speech_bubble: '🗨️', loudspeaker: '📢', mega: '📣', bell: '🔔', no_bell: '🔕', satellite: '📡',
  satellite_antenna: '📡', package: '📦', busts_in_silhouette: '👥', bust_in_silhouette: '👤', moneybag: '💰',
  credit_card: '💳', receipt: '🧾', shopping_trolley: '🛒', moon: '🌙', crescent_moon: '🌙', sunny: '☀️', sunrise: '🌅',
  zzz: '💤', globe_with_meridians: '🌐', earth_asia: '🌏', flag_in: '🇮🇳', 'flag-in': '🇮🇳', 'flag-sg': '🇸🇬', mag: '🔍',
  white_check_mark: '✅', heavy_check_mark: '✔️', ballot_box_with_check: '☑️', x: '❌', negative_squared_cross_mark: '❎',
  heavy_multiplication_x: '✖️', warning: '⚠️', exclamation: '❗', heavy_exclamation_mark: '❗', bangbang: '‼️',
  question: '❓', grey_question: '❔', information_source: 'ℹ️', no_entry: '⛔', no_entry_sign: '🚫', octagonal_sign: '🛑',
  stop_sign: '🛑', rotating_light: '🚨', construction: '🚧', red_circle: '🔴', large_orange_circle: '🟠',
  large_yellow_circle: '🟡', large_green_circle: '🟢', large_blue_circle: '🔵', white_circle: '⚪', black_circle: '⚫',
  large_green_square: '🟩', large_red_square: '🟥', arrow_right: '➡️', arrow_left: '⬅️', arrow_up: '⬆️', arrow_down: '⬇️',
  arrows_counterclockwise: '🔄', arrow_forward: '▶️', double_vertical_bar: '⏸️', pause_button: '⏸️',
  black_square_for_stop: '⏹️', fast_forward: '⏩', repeat: '🔁', new: '🆕', ok: '🆗', '100': '💯', coffee: '☕', house: '🏠',
  house_with_garden: '🏡', office: '🏢', department_store: '🏬', truck: '🚚', diya_lamp: '🪔', wastebasket: '🗑️',
  test_tube: '🧪', shrug: '🤷', facepalm: '🤦', man_shrugging: '🤷', woman_shrugging: '🤷',
};

export function isEmojiName(name: string): boolean {
  return Object.hasOwn(CHARACTERS, name);
}

/** The character of a name; an unknown name comes back as it was written, `:name:`. */
export function emojiCharacter(name: string): string {
  return CHARACTERS[name] ?? `:${name}:`;
}

/** A plain text with the emoji that it names; where `emoji` is false, as it was written. */
export function plainWords(text: string, emoji?: boolean): string {
  if (emoji === false) return text;
  return text.replace(/:([a-z0-9_+'-]+):/g, (whole, name: string) => CHARACTERS[name] ?? whole);
}
