/**
 * SQL for the name with which a mail greets the owner of an account: empty while nobody has confirmed
 * the address. Whoever registered somebody else's address chose the name, and could write to them.
 *
 * @param account the alias of the table `accounts` in the query
 */
export function greetedName(account: string): string {
  return `CASE WHEN ${account}.email_verified_at IS NULL THEN '' ELSE ${account}.name END AS name`;
}
