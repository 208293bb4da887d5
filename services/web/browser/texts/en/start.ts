export const start = {
  title: 'One account for every product',
  lead: 'Accounts, notes, short links and signed webhooks that lose nothing, behind four plain HTTP APIs.',
  services: 'Services',
  service: 'Service',
  address: 'Address',
  reference: 'API reference',
  names: { auth: 'Accounts', notes: 'Notes', links: 'Links', webhooks: 'Webhooks' },
  firstRequest: 'A first request',
  firstRequestHint: 'It answers with the public keys that verify access tokens.',
  client: 'The client in ten lines',
  clientHint: 'It refreshes sessions, retries what may be retried, and types every answer.',
};
