import { type EditorView, WidgetType } from '@codemirror/view';
import classes from './live.module.css';
import { surfaceContext } from './surface-context.ts';

const classOf = (name: string): string => classes[name] ?? '';

/** The point of a list, and the line between two parts of a note. */
export class Sign extends WidgetType {
  readonly kind: 'bullet' | 'rule';

  constructor(kind: 'bullet' | 'rule') {
    super();
    this.kind = kind;
  }

  override eq(other: Sign): boolean {
    return other.kind === this.kind;
  }

  toDOM(): HTMLElement {
    const sign = document.createElement('span');
    sign.className = classOf(this.kind);
    if (this.kind === 'bullet') sign.textContent = '•';
    return sign;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** The box of a task, which changes `[ ]` to `[x]` and back. */
export class TaskBox extends WidgetType {
  readonly isDone: boolean;
  readonly label: string;

  constructor(isDone: boolean, label: string) {
    super();
    this.isDone = isDone;
    this.label = label;
  }

  override eq({ isDone, label }: TaskBox): boolean {
    return isDone === this.isDone && label === this.label;
  }

  toDOM(view: EditorView): HTMLElement {
    const place = document.createElement('span');
    place.className = classOf('box');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.addEventListener('change', () => {
      const start = view.posAtDOM(place);
      const mark = /\[[ xX]\]/.exec(view.state.sliceDoc(start, view.state.doc.lineAt(start).to));
      if (mark === null) return;
      const from = start + mark.index + 1;
      const changes = { from, to: from + 1, insert: box.checked ? 'x' : ' ' };
      view.dispatch({ changes, userEvent: 'input.format' });
    });
    place.append(box);
    this.updateDOM(place);
    return place;
  }

  /** The box that was ticked keeps the focus. */
  override updateDOM(place: HTMLElement): boolean {
    const box = place.querySelector('input');
    if (box === null) return false;
    box.checked = this.isDone;
    box.ariaLabel = this.label;
    return true;
  }
}

/** An attached image in the place of its Markdown. */
export class AttachedImage extends WidgetType {
  readonly id: string;
  readonly label: string;

  constructor(id: string, label: string) {
    super();
    this.id = id;
    this.label = label;
  }

  override eq({ id, label }: AttachedImage): boolean {
    return id === this.id && label === this.label;
  }

  toDOM(view: EditorView): HTMLElement {
    const place = document.createElement('span');
    place.className = classOf('image');
    const { texts, loadImage } = view.state.facet(surfaceContext);
    place.textContent = this.label || texts.blocks.image;
    loadImage(this.id).then(
      (url) => {
        const image = document.createElement('img');
        image.alt = this.label;
        image.addEventListener('load', () => view.requestMeasure());
        image.src = url;
        place.replaceChildren(image);
      },
      // Its name stays.
      () => undefined,
    );
    // A click selects what the image stands for, which shows it.
    place.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const from = view.posAtDOM(place);
      const line = view.state.doc.lineAt(from);
      const source = /^!\[.*?\]\([^)]*\)/.exec(view.state.sliceDoc(from, line.to))?.[0] ?? '';
      view.dispatch({ selection: { anchor: from, head: from + source.length } });
      view.focus();
    });
    return place;
  }
}
