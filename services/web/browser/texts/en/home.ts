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
    empty: 'Write down what you want to find again, alone or with others.',
    firstWorkspace: 'My notes',
    changed: 'changed',
  },
  links: {
    title: 'Links',
    all: 'All links',
    empty: 'Make a short address for a long one, and see how often it is clicked.',
  },
  webhooks: {
    title: 'Webhooks',
    all: 'All webhooks',
    empty: 'Have your server told when a link is clicked or a note is made public.',
  },
};
