import { ActionIcon, Tooltip } from '@mantine/core';
import { Icon, type IconName } from './icon.tsx';

/** A button with a sign alone; its label also shows on hover and on focus. */
export function IconButton({
  icon,
  label,
  filled = false,
  onClick,
}: {
  icon: IconName;
  label: string;
  filled?: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip label={label} openDelay={300}>
      <ActionIcon variant="subtle" color="gray" size={30} aria-label={label} onClick={onClick}>
        <Icon name={icon} filled={filled} />
      </ActionIcon>
    </Tooltip>
  );
}
