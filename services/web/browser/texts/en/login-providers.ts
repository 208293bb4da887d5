export const loginProviders = {
  or: 'or',
  with: (name: string) => `Continue with ${name}`,
  company: (domain: string, name: string) => `People of ${domain} log in with ${name}.`,
  title: 'Log in',
  waiting: 'Logging in…',
  failures: {
    expired: 'This login waited too long, or was begun in another browser or tab. Begin it again.',
    denied: 'You said no at the provider, so nobody was logged in.',
    failed: 'The provider did not confirm who you are. Try again later, or log in another way.',
  },
  toLogin: 'Back to the login',
  signUpTitle: 'Create account',
  signUpText: (provider: string, email: string) =>
    `${provider} has confirmed your email address ${email}. What is still missing:`,
  signUp: 'Create account',
  section: 'Login with others',
  hint: 'Other accounts of yours with which you log in here.',
  none: 'None is linked.',
  link: (name: string) => `Link ${name}`,
  unlink: 'Remove',
  unlinkOf: (name: string) => `Remove ${name}`,
  unlinkTitle: (name: string) => `Log in with ${name} no more?`,
  linked: (name: string) => `${name} is linked`,
  unlinked: (name: string) => `${name} is removed`,
  lastUsed: 'last used',
  passwordFirst:
    'Your account has no password. Set one with "Forgot password?" on the login page before you change this.',
};
