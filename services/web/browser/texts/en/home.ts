export const home = {
  title: 'Home',
  welcome: (name: string) => `Hello, ${name}`,
  verifyTitle: 'Verify your email',
  verify: (email: string) => `Open the link that we sent to ${email}.`,
  resend: 'Send it again',
  resent: 'The message is on its way',
  nothingYet: 'Your notes, links and webhooks will show here.',
};
