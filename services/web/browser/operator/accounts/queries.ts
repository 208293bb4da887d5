export const LIST_KEY = ['operator', 'accounts'];

export const accountKey = (id: string) => ['operator', 'account', id];

export const actionsKey = (id: string) => ['operator', 'actions', id];
