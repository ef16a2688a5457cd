import htm from 'htm';
import { h, type VNode } from 'preact';

/**
 * Preact's vnodes by tagged template. A template has one root, so one vnode comes back; htm's own type allows
 * several.
 */
export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
