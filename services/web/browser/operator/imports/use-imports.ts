import type { AccountImport } from '@atrium/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { saveFile } from '../../ui/save-file.ts';
import { operator } from '../operator.ts';

const POLL_MS = 1_000;
const PAGE_SIZE = 100;

export const isUnfinished = ({ state }: AccountImport) =>
  state !== 'completed' && state !== 'failed';

/** The imports of the last 30 days, followed until they are finished, and what begins another. */
export function useImports() {
  const queryClient = useQueryClient();
  const queryKey = queryKeys.operator.imports;
  const list = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await operator.listAccountImports({ limit: PAGE_SIZE }, { signal })).data,
    refetchInterval: ({ state: { data } }) => (data?.some(isUnfinished) ? POLL_MS : false),
  });
  const start = useMutation({
    mutationFn: (file: File) => operator.importAccounts(file.name, file),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  return { list, start };
}

export async function downloadReport({ id, fileName }: AccountImport): Promise<void> {
  const report = await operator.downloadAccountImportReport(id);
  saveFile(`${fileName}.report.ndjson`, await new Response(report).blob());
}
