/**
 * SQL for the name that emails greet the owner of an account by: empty until the address is verified,
 * because someone who registered with another person's address could use the name to write to them.
 *
 * @param account alias of the table `accounts` in the query
 */
export function greetingName(account: string): string {
  return `CASE WHEN ${account}.email_verified_at IS NULL THEN '' ELSE ${account}.name END AS name`;
}
