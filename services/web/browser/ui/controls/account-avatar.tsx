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
  return <Picture name={user.name} url={user.avatar} size={size} radius="50%" />;
}

/** The logo of an application, or its initials. */
export function ApplicationLogo({
  application,
  size,
}: {
  application: { name: string; logo: string | null };
  size: number;
}) {
  return <Picture name={application.name} url={application.logo} size={size} radius="md" />;
}

function Picture({
  name,
  url,
  size,
  radius,
}: {
  name: string;
  url: string | null;
  size: number;
  radius: string;
}) {
  return (
    <Avatar
      src={url}
      name={name}
      alt=""
      size={size}
      radius={radius}
      className={classes.avatar}
      color="indigo"
      variant="filled"
    />
  );
}
