import { useNavigate } from '@tanstack/react-router';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { Search } from './search.ts';

const QUERY_LENGTH_MAX = 1000;

/** Where notes are searched. The URL has what is searched; the page shows the results while one types. */
export function SearchBar({ search: { q, workspace } }: { search: Search }) {
  const { search: texts } = useSignedInText().notes;
  const navigate = useNavigate();
  const find = (query: string) => {
    const search = query === '' ? {} : { q: query, ...(workspace !== undefined && { workspace }) };
    void navigate({ to: '.', search, replace: q !== '', resetScroll: false });
  };
  return (
    <SearchField
      query={q}
      isLive
      onFind={find}
      maxLength={QUERY_LENGTH_MAX}
      label={texts.label}
      clearLabel={texts.clear}
    />
  );
}
