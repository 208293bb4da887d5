export const home = {
  title: 'Home',
  welcome: (name: string) => `Hello, ${name}`,
  verifyTitle: 'Verify your email',
  verify: (email: string) => `Open the link that we sent to ${email}.`,
  resend: 'Send it again',
  resent: 'The message is on its way',
  notes: {
    title: 'Continue writing',
    firstTitle: 'Your first note',
    all: 'All notes',
    empty: 'Write down what you want to find again, alone or with others.',
    firstWorkspace: 'My notes',
    in: (workspace: string) => `in ${workspace}`,
  },
  links: {
    title: 'Clicks of the last 14 days',
    firstTitle: 'Your first link',
    all: 'All links',
    empty: 'Make a short address for a long one, and see how often it is clicked.',
    none: 'Nobody has followed your links in these days.',
  },
  webhooks: {
    title: 'Webhooks that fail',
    firstTitle: 'Your first webhook',
    all: 'All webhooks',
    empty: 'Have your server told when a link is clicked or a note is made public.',
  },
};
