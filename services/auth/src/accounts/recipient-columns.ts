/**
 * SQL for the name and the language of an account's emails. The name is empty until the address is
 * verified, because someone who registered with another person's address could use it to write to them.
 *
 * @param account alias of the table `accounts` in the query
 */
export function recipientColumns(account: string): string {
  const isVerified = `${account}.email_verified_at IS NOT NULL`;
  return `CASE WHEN ${isVerified} THEN ${account}.name ELSE '' END AS name, ${account}.language`;
}
