import { Avatar } from '@mantine/core';
import classes from './account-avatar.module.css';

/** A person's picture, or their initials. The name stands beside it, so it has no text of its own. */
export function AccountAvatar({
  user,
  size,
}: {
  user: { name: string; avatar: string | null };
  size: number;
}) {
  return (
    <Avatar
      src={user.avatar}
      name={user.name}
      alt=""
      size={size}
      radius="50%"
      className={classes.avatar}
      color="indigo"
      variant="filled"
    />
  );
}
