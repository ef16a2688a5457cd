/*
 * Loaded into a Herald before anything else: from the moment `since` on, its clocks go `speed` times as fast as the machine's,
 * and so do its timers. To Herald nothing differs but that this machine is so much slower. What it computes is not hurried.
 * The sandbox beside it has the same clock, so that Slack's pace is to Herald what it always is.
 */
const { searchParams } = new URL(import.meta.url);
const since = Number(searchParams.get('since'));
const speed = Number(searchParams.get('speed'));

const RealDate = Date;
const realNow = Date.now;
const realMonotonic = performance.now.bind(performance);
const now = () => Math.floor(since + (realNow() - since) * speed);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, asked) =>
    Reflect.construct(
      target,
      given.length === 0 ? [now()] : given,
      asked === globalThis.Date ? target : asked,
    ),
  apply: () => new RealDate(now()).toString(),
});
RealDate.now = now;
performance.now = () => realMonotonic() * speed;
globalThis.setTimeout = hurried(setTimeout);
globalThis.setInterval = hurried(setInterval);

/** A timer that waits for a part of the time; what is known of the timer otherwise stays with it. */
function hurried<Timer extends (...given: never[]) => unknown>(timer: Timer): Timer {
  return new Proxy(timer, {
    apply: (target, self, [run, ms, ...rest]) =>
      Reflect.apply(target, self, [run, Number(ms ?? 0) / speed, ...rest]),
  });
}
