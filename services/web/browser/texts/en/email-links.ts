const invite = (owner?: string) =>
  owner === undefined ? 'You are invited' : `${owner} invites you`;

export const emailLinks = {
  expiredTitle: 'This link does not work any more',
  expired: 'It was used already, or it is too old.',
  missing:
    'Open the link in the message again: reloading or leaving a page forgets what was in the link.',
  logIn: 'Log in',
  toHome: 'Go to your home page',
  verify: {
    title: 'Verify your email',
    explanation: 'Confirm that this email address is yours.',
    submit: 'Verify email',
    doneTitle: 'Your email is verified',
    done: 'Nothing more is needed.',
    doneInvited: 'Now you can accept the invitation to the workspace.',
    next: 'Log in to ask for a new link.',
    noPassword: 'I did not choose a password',
    resetTitle: 'Check your email',
    reset: 'We sent a link to your email address. Use it to set a password that only you know.',
  },
  confirm: {
    title: 'Confirm your new email',
    explanation: 'Your account will use this email address from now on.',
    submit: 'Confirm email',
    doneTitle: 'Your email is changed',
    done: 'Use the new email address the next time you log in.',
    next: 'Log in and ask for the change again.',
  },
  password: {
    explanation: 'Enter the password of the account to prove that it is yours.',
    wrong: 'The password is wrong',
    other: 'This link is for another account than the one you are logged in to',
  },
  notMe: {
    title: 'Secure your account',
    explanation:
      'This ends every session, revokes all applications and access tokens, makes the password unusable, ' +
      'and removes second factors and devices that were added since the message. You get a link for a new ' +
      'password.',
    submit: 'Secure my account',
    doneTitle: 'Your account is secured',
    done: 'Every session has ended. The link for a new password is in your mailbox.',
    next: 'If you still fear that someone else uses your account, reset the password.',
    reset: 'Reset the password',
  },
  export: {
    title: 'Your data',
    explanation: 'A copy of everything that Atrium stores about your account, as one JSON file.',
    submit: 'Download',
    doneTitle: 'The download has started',
    done: 'Keep the file safe: it holds everything of your account.',
    next: 'Ask for a new copy under Account, Your data.',
    logIn: 'Log in to download your data.',
  },
  invitation: {
    join: (workspace: string) => `Join ${workspace}`,
    invites: {
      editor: (owner?: string) => `${invite(owner)} to read and write the notes of this workspace.`,
      viewer: (owner?: string) => `${invite(owner)} to read the notes of this workspace.`,
    },
    explanation: 'They will be among yours, and you can leave the workspace at any time.',
    show: 'Show the invitation',
    submit: 'Accept invitation',
    joined: (workspace: string) => `You have joined ${workspace}`,
    done: 'Its notes are waiting for you.',
    next: 'Ask whoever invited you to send the invitation again.',
    logIn:
      'Log in with the email address that the invitation was sent to, or create an account with it.',
    toWorkspace: 'Show the workspace',
    toNotes: 'Go to your notes',
  },
};
