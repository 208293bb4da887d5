import type { SignedInTexts } from '../en/signed-in.ts';

export const webhooks: SignedInTexts['webhooks'] = {
  title: 'Webhooks',
  unavailable:
    'Webhooks werden vorerst über die API verwaltet. Ein abgeschalteter Webhook wird mit PATCH /api/webhooks/{id} wieder eingeschaltet.',
  reference: 'API-Referenz',
};
