import { Button, Group, NativeSelect } from '@mantine/core';
import { Icon } from '../../ui/controls/icon.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { TagPill } from '../tags/tag-pill.tsx';
import pills from '../tags/tag-pill.module.css';
import { useAllTags } from '../tags/use-tags.ts';
import { type Arrangement, MATCHES, type Sort, SORTS, TAGS_MAX } from './arrangement.ts';
import classes from './list.module.css';

type Change = (changed: Partial<Arrangement>) => void;

/** The order of a list and what it is filtered by. */
export function ListControls({
  workspaceId,
  arrangement,
  onChange,
}: {
  workspaceId: string;
  arrangement: Arrangement;
  onChange: Change;
}) {
  const {
    listing: { list: texts },
    notes: { list },
  } = useSignedInText();
  const { sort, tags, favourites, shared } = arrangement;
  const { data: known = [] } = useAllTags(workspaceId);
  const others = known.filter(({ name }) => !tags.includes(name));
  return (
    <>
      <Group gap="xs">
        <NativeSelect
          aria-label={texts.sort}
          className={classes.control ?? ''}
          value={sort}
          data={SORTS.map((value) => ({ value, label: texts.sorts[value] }))}
          onChange={(event) => onChange({ sort: event.currentTarget.value as Sort })}
        />
        {others.length > 0 && tags.length < TAGS_MAX && (
          <NativeSelect
            aria-label={texts.tag}
            className={classes.control ?? ''}
            value=""
            data={[
              { value: '', label: tags.length === 0 ? texts.allTags : texts.anotherTag },
              ...others.map(({ name, noteCount }) => ({
                // Not empty, whatever the name.
                value: `=${name}`,
                label: `${name} (${noteCount})`,
              })),
            ]}
            onChange={(event) => {
              const { value } = event.currentTarget;
              if (value !== '') onChange({ tags: [...tags, value.slice(1)] });
            }}
          />
        )}
        <Button
          variant={favourites ? 'light' : 'default'}
          leftSection={<Icon name="star" filled={favourites} />}
          aria-pressed={favourites}
          onClick={() => onChange({ favourites: !favourites })}
        >
          {texts.favourites}
        </Button>
        <Button
          variant={shared ? 'light' : 'default'}
          leftSection={<Icon name="link" />}
          aria-pressed={shared}
          onClick={() => onChange({ shared: !shared })}
        >
          {list.public}
        </Button>
      </Group>
      {tags.length > 0 && <ChosenTags arrangement={arrangement} onChange={onChange} />}
    </>
  );
}

function ChosenTags({ arrangement, onChange }: { arrangement: Arrangement; onChange: Change }) {
  const { list: texts } = useSignedInText().listing;
  const { tags, match } = arrangement;
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label={texts.match}
        value={match}
        data={MATCHES.map((value) => ({ value, label: texts.matches[value] }))}
        onChange={(event) => onChange({ match: event.currentTarget.value as Arrangement['match'] })}
      />
      <ul className={pills.list} aria-label={texts.chosenTags}>
        {tags.map((tag) => (
          <TagPill
            key={tag}
            tag={tag}
            removeLabel={texts.withoutTag(tag)}
            onRemove={() => onChange({ tags: tags.filter((other) => other !== tag) })}
          />
        ))}
      </ul>
    </Group>
  );
}
