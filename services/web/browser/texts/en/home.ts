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
    tour: 'Show me around',
    in: (workspace: string) => `in ${workspace}`,
  },
  welcomeNote: {
    title: 'Welcome to Atrium',
    content: `Tick off what you have tried. This note is yours: change it, or delete it.

- [ ] Tick this task
- [ ] Type \`/\` on an empty line: headings, tables, images and files
- [ ] Write \`[[\` and a title, and the note knows what links to it
- [ ] Press \`Ctrl K\` to find anything, and \`?\` for all keys
- [ ] Share this note by a link, with **Share** above
- [ ] Invite somebody into the workspace, and write together
- [ ] Make a short link and see [who follows it](/links)
- [ ] Have [your server told](/webhooks) when something happens
`,
  },
  links: {
    title: 'Clicks of the last 14 days',
    firstTitle: 'Your first link',
    example: 'https://example.com/plans',
    all: 'All links',
    empty: 'Make a short URL for a long one, and see how often it is clicked.',
    none: 'Nobody has followed your links in these days.',
  },
  webhooks: {
    title: 'Webhooks that fail',
    firstTitle: 'Your first webhook',
    all: 'All webhooks',
    empty:
      'Have your server told when a link is clicked or a note is made public. This page can be the first receiver.',
  },
};
