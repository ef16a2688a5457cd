import { options, render } from 'preact';
import { App } from './app.ts';
import { html } from './html.ts';

// What stands on the page listens at once. Left to the next frame, a key or Back pressed before it would reach nobody.
options.requestAnimationFrame = queueMicrotask;

const root = document.getElementById('root');
if (root) render(html`<${App} />`, root);
