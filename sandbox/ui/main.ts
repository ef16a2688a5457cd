import { render } from 'preact';
import { App } from './app.ts';
import { html } from './html.ts';

const root = document.getElementById('root');
if (root) render(html`<${App} />`, root);
