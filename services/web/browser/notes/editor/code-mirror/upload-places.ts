import { isolateHistory } from '@codemirror/commands';
import { type Extension, type StateCommand, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import classes from './code-mirror.module.css';

interface Place {
  id: number;
  at: number;
  name: string;
}

const reserve = StateEffect.define<Place>();
const release = StateEffect.define<number>();

/** Where files will stand that are being uploaded. The note itself has nothing of it until they are there. */
const places = StateField.define<readonly Place[]>({
  create: () => [],
  update(current, { changes, effects }) {
    const released = current.findIndex(({ id }) =>
      effects.some((effect) => effect.is(release) && effect.value === id),
    );
    // What is typed at a place stands behind it, and files of one place stay in their order.
    const side = (index: number) => (released >= 0 && index > released ? 1 : -1);
    let next = current.map((place, index) => ({
      ...place,
      at: changes.mapPos(place.at, side(index)),
    }));
    for (const effect of effects) {
      if (effect.is(reserve)) next = [...next, effect.value];
      if (effect.is(release)) next = next.filter(({ id }) => id !== effect.value);
    }
    return next;
  },
  provide: (field) =>
    EditorView.decorations.compute([field], (state) =>
      Decoration.set(
        state
          .field(field)
          .map(({ at, name }) =>
            Decoration.widget({ widget: new Marker(name), side: -1 }).range(at),
          ),
        true,
      ),
    ),
});

class Marker extends WidgetType {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  override eq(other: Marker): boolean {
    return other.name === this.name;
  }

  toDOM(): HTMLElement {
    const marker = document.createElement('span');
    marker.className = classes['upload'] ?? '';
    marker.textContent = this.name;
    return marker;
  }
}

/** Hands on files that are pasted or dropped, with the place where they belong. */
export function uploadPlaces(onFiles: (files: File[], at: number) => void): Extension {
  const take = (event: Event, data: DataTransfer | null, at: number): boolean => {
    const files = [...(data?.files ?? [])];
    // Office programs offer a picture of the text that they copy.
    if (files.length === 0 || data?.getData('text/plain') !== '') return false;
    event.preventDefault();
    onFiles(files, at);
    return true;
  };
  return [
    places,
    EditorView.domEventHandlers({
      paste: (event, { state }) => take(event, event.clipboardData, state.selection.main.head),
      drop: (event, view) =>
        take(
          event,
          event.dataTransfer,
          view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length,
        ),
    }),
  ];
}

type Target = Parameters<StateCommand>[0];

export function reservePlace({ state, dispatch }: Target, place: Place): void {
  dispatch(state.update({ effects: reserve.of(place) }));
}

/** Gives up the place of a file, which `markdown` then takes: one step to undo, wherever the cursor is. */
export function releasePlace({ state, dispatch }: Target, id: number, markdown = ''): void {
  const place = state.field(places).find((other) => other.id === id);
  if (place === undefined) return;
  const line = state.doc.lineAt(place.at);
  const [before, after] = [
    line.text.slice(0, place.at - line.from),
    line.text.slice(place.at - line.from),
  ];
  const insert = `${/\S$/.test(before) ? ' ' : ''}${markdown}${/^\S/.test(after) ? ' ' : ''}`;
  const changes = state.changes({ from: place.at, insert: markdown === '' ? '' : insert });
  dispatch(
    state.update({
      changes,
      selection: state.selection.map(changes, 1),
      effects: release.of(id),
      annotations: isolateHistory.of('full'),
      userEvent: 'input.attach',
    }),
  );
}
