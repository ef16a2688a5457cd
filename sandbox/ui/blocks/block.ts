import type { VNode } from 'preact';
import { html } from '../html.ts';
import { Markdown, PlainText, TextObject } from '../text/view.ts';
import { Chart } from './chart.ts';
import { BlockElement, NotShown } from './element.ts';
import { addressOf, Picture } from './picture.ts';
import { RichText } from './rich-text.ts';
import { elementId, useScope } from './scope.ts';
import { DataTable, Table } from './table.ts';
import type { Block, Element, Text } from './types.ts';

/** The blocks of a message or a view, in order. */
export function Blocks({ blocks }: { blocks: readonly Block[] }): VNode {
  const keys = blockKeys(blocks);
  return html`<div class="blocks">
    ${blocks.map((block, index) => html`<${OneBlock} key=${keys[index]} block=${block} />`)}
  </div>`;
}

/**
 * What makes a block the same one after an update. Slack gives one without a `block_id` a new id each time; what is open
 * or focused in it would be gone, so such a block is known by its type, its accessory, and its place among those alike.
 */
function blockKeys(blocks: readonly Block[]): string[] {
  const seen = new Map<string, number>();
  return blocks.map(({ type, block_id: id, accessory }) => {
    const kind = type === 'input' ? `${type} ${id}` : `${type} ${accessory?.action_id ?? ''}`;
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return `${kind} ${count}`;
  });
}

function textObject(text: Block['text']): Text | undefined {
  return typeof text === 'string' ? { type: 'plain_text', text } : text;
}

function OneBlock({ block }: { block: Block }): VNode {
  switch (block.type) {
    case 'section':
      return html`<${Section} block=${block} />`;
    case 'header':
      return html`<h3 class="block-header"><${PlainText} text=${textObject(block.text)} /></h3>`;
    case 'context':
      return html`<div class="block-context">${block.elements?.map(drawContextElement)}</div>`;
    case 'divider':
      return html`<hr class="block-divider" />`;
    case 'actions':
      return html`<div class="block-actions">${block.elements?.map(
        (element) => html`<${BlockElement} key=${element.action_id} element=${element} block=${block} />`,
      )}</div>`;
    case 'input':
      return html`<${InputBlock} block=${block} />`;
    case 'image':
      return html`<figure class="block-image">
        ${block.title && html`<figcaption><${TextObject} text=${block.title} /></figcaption>`}
        <${Picture} url=${block.image_url ?? addressOf(block.slack_file)} alt=${block.alt_text}
          className="block-picture" />
      </figure>`;
    case 'rich_text':
      return html`<${RichText} elements=${block.elements} />`;
    case 'markdown':
      return html`<${Markdown} text=${textObject(block.text)?.text ?? ''} />`;
    case 'table':
      return html`<${Table} block=${block} />`;
    case 'data_table':
      return html`<${DataTable} block=${block} />`;
    case 'data_visualization':
      return html`<${Chart} block=${block} />`;
    case 'alert':
      return html`<div class=${`block-alert alert-${block.level ?? 'default'}`} role="note">
        <${TextObject} text=${textObject(block.text)} /></div>`;
    case 'card':
      return html`<${Card} block=${block} />`;
    case 'carousel':
      return html`<div class="block-carousel" tabindex="0" role="group" aria-label="Cards">
        ${(block.elements as unknown as Block[] | undefined)?.map(
          (card) => html`<${Card}
          block=${card} />`,
        )}</div>`;
    default:
      return html`<${NotShown} what=${`block "${block.type}"`} />`;
  }
}

function Section({ block }: { block: Block }): VNode {
  return html`<div class="block-section">
    <div class="section-words">
      ${block.text && html`<div class="section-text"><${TextObject} text=${textObject(block.text)} /></div>`}
      ${
        block.fields &&
        html`<div class="section-fields">
        ${block.fields.map(
          (field) => html`<div class="section-field"><${TextObject}
          text=${field} /></div>`,
        )}</div>`
      }
    </div>
    ${
      block.accessory &&
      html`<div class="section-accessory"><${BlockElement} element=${block.accessory}
      block=${block} /></div>`
    }
  </div>`;
}

function drawContextElement(element: Element): VNode {
  if (element.type === 'image')
    return html`<${Picture} url=${element.image_url} alt=${element.alt_text} className="context-image" />`;
  return html`<span class="context-text"><${TextObject} text=${element} inline /></span>`;
}

/** A label, the control, a hint, and the sentence that says what is wrong with the value. */
function InputBlock({ block }: { block: Block }): VNode {
  const scope = useScope();
  const { element } = block;
  const blockId = block.block_id ?? '';
  const id = elementId(scope, blockId, element?.action_id ?? '');
  const error = scope.errors[blockId];
  const described =
    [error && `${id}-error`, block.hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  return html`<div class=${`block-input ${error ? 'has-error' : ''}`} data-block-id=${blockId}>
    <label class="input-label" id=${`${id}-label`} for=${id}><${PlainText}
      text=${block.label} />${block.optional && html`<span class="input-optional"> (optional)</span>`}</label>
    ${element ? html`<${BlockElement} element=${element} block=${block} describedBy=${described} />` : null}
    ${error && html`<div class="input-error" id=${`${id}-error`} role="alert">${error}</div>`}
    ${
      block.hint &&
      html`<div class="input-hint" id=${`${id}-hint`}><${PlainText}
      text=${block.hint} /></div>`
    }
  </div>`;
}

function Card({ block }: { block: Block }): VNode {
  return html`<div class="block-card">
    ${
      block.hero_image &&
      html`<${Picture} url=${block.hero_image.image_url}
      alt=${block.hero_image.alt_text} className="card-picture" />`
    }
    ${block.title && html`<div class="card-title"><${TextObject} text=${block.title} inline /></div>`}
    ${
      block.subtitle &&
      html`<div class="card-subtitle"><${TextObject}
      text=${block.subtitle} inline /></div>`
    }
    ${block.body && html`<${TextObject} text=${block.body} />`}
    ${
      block.actions &&
      html`<div class="block-actions">
      ${block.actions.map((element) => html`<${BlockElement} element=${element} block=${block} />`)}</div>`
    }
  </div>`;
}
