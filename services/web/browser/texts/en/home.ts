export const home = {
  title: 'Home',
  welcome: (name: string) => `Hello, ${name}`,
  verifyTitle: 'Verify your email',
  verify: (email: string) => `Open the link that we sent to ${email}.`,
  resend: 'Send it again',
  resent: 'The message is on its way',
  notes: {
    title: 'Notes',
    all: 'All notes',
    empty: 'Notes that you write show here, the last changed first.',
    changed: 'changed',
  },
  links: {
    title: 'Links',
    all: 'All links',
    empty: 'Short links that you make show here.',
  },
  webhooks: {
    title: 'Webhooks',
    all: 'All webhooks',
    empty: 'Webhooks that send events to your server show here.',
  },
};
