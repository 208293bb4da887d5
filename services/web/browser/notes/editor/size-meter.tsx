import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { Text } from '@mantine/core';
import { usePlan } from '../../account/plan/use-plan.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';
import { sizeText } from '../../ui/size-text.ts';
import classes from './editor.module.css';

const NEARLY_FULL = 0.9;

/** The size of a note as the plan counts it: bytes of UTF-8. For the owner, whose plan applies. */
export function SizeMeter({ content }: { content: string }) {
  const { editor } = useSignedInText().notes;
  const { locale } = useTranslation();
  const { data: account } = usePlan();
  if (account === undefined) return null;
  const limit = PLAN_LIMITS[account.plan].noteSizeBytes;
  const used = new TextEncoder().encode(content).length;
  const format = (bytes: number) => sizeText(bytes, locale);
  const isNearlyFull = used > limit * NEARLY_FULL;
  const color = used > limit ? 'var(--mantine-color-error)' : 'dimmed';
  return (
    <div className={classes.size} data-nearly-full={isNearlyFull}>
      <Text size="sm" c={color}>
        {editor.size(format(used), format(limit))}
      </Text>
      <Text size="sm" role="status" c={color}>
        {isNearlyFull && (used > limit ? editor.tooLarge(format(used - limit)) : editor.nearlyFull)}
      </Text>
    </div>
  );
}
