import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { CATEGORIES, type Filters, filtersOf } from './filters.ts';

export function FilterBar({
  filters,
  onChange,
}: {
  filters: Filters;
  onChange: (filters: Filters) => void;
}) {
  const { activity } = useAllText().account;
  const change = (changed: Record<string, string>) =>
    onChange(filtersOf({ ...filters, ...changed }));
  return (
    <Group gap="sm" align="flex-end" role="search" aria-label={activity.filters}>
      <NativeSelect
        label={activity.category}
        value={filters.category ?? ''}
        data={[
          { value: '', label: activity.categories.all },
          ...CATEGORIES.map((value) => ({ value, label: activity.categories[value] })),
        ]}
        onChange={(event) => change({ category: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={activity.from}
        value={filters.from ?? ''}
        max={filters.to}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={activity.to}
        value={filters.to ?? ''}
        min={filters.from}
        onChange={(event) => change({ to: event.currentTarget.value })}
      />
      {isFiltered(filters) && (
        <Button variant="subtle" onClick={() => onChange({})}>
          {activity.clear}
        </Button>
      )}
    </Group>
  );
}

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}
