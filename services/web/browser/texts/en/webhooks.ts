export const webhooks = {
  title: 'Webhooks',
  unavailable:
    'Webhooks are managed with the API for now. A disabled webhook is enabled with PATCH /api/webhooks/{id}.',
  reference: 'API reference',
};
