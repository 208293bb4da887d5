import { type Extension, StateField } from '@codemirror/state';
import { showTooltip, type Tooltip } from '@codemirror/view';

/** Shows an element above what is selected. */
export function selectionBar(bar: HTMLElement): Extension {
  const create = () => ({ dom: bar });
  return StateField.define<Tooltip | null>({
    create: () => null,
    update(shown, { state, docChanged, selection }) {
      if (!docChanged && selection === undefined) return shown;
      const { from, to, empty } = state.selection.main;
      return empty || state.sliceDoc(from, to).trim() === ''
        ? null
        : { pos: from, above: true, create };
    },
    provide: (field) => showTooltip.from(field),
  });
}
