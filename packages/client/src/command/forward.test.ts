import { afterEach, expect, test, vi } from 'vitest';
import { forward } from './forward.ts';

afterEach(() => vi.restoreAllMocks());

const DELIVERY = {
  id: 'dlv_1',
  leaseId: 'l',
  event: 'go.click' as const,
  attempt: 1,
  headers: {},
  body: '',
};

/** Forwards a delivery. @returns the line for people and what is reported of the attempt */
async function forwardTo(forwardTo: string) {
  const lines: string[] = [];
  const reports: object[] = [];
  await forward(
    {
      call: async <Result>(_method: string, _url: string, body: object = {}) => {
        reports.push(body);
        return undefined as Result;
      },
      webhooksUrl: 'http://localhost:4003',
      forwardTo,
      output: { line: (text) => lines.push(text) },
    },
    DELIVERY,
  );
  return { line: lines.join(), report: reports[0] };
}

test('says and reports that nothing listens', async () => {
  const { line, report } = await forwardTo('http://127.0.0.1:3/');
  expect(line).toContain('attempt 1  ECONNREFUSED');
  expect(report).toMatchObject({ leaseId: 'l', status: null, error: 'ECONNREFUSED' });
});

test('says and reports that the receiver took too long', async () => {
  const timedOut = AbortSignal.abort(new DOMException('Aborted due to timeout', 'TimeoutError'));
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timedOut);
  const { line, report } = await forwardTo('http://127.0.0.1:3/');
  expect(line).toContain('attempt 1  Aborted due to timeout');
  expect(report).toMatchObject({ status: null, error: 'Aborted due to timeout' });
});
