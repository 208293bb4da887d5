export const deviceLogin = {
  title: 'Log in a device',
  example: 'WDJB-MJHT',
  enter: 'Enter the code that the device shows.',
  code: 'Code',
  next: 'Continue',
  unknown:
    'This code does not work. Check it; if it was used already or is older than ten minutes, start the login on the device again.',
  explanation: (email: string) =>
    `The device gets access to your account ${email}. Confirm only if you have just started this login yourself and the device shows the same code.`,
  application: 'Application',
  device: 'Device',
  network: 'Network',
  started: 'Started',
  confirm: 'Confirm',
  deny: 'Deny',
  confirmed: {
    title: 'Login confirmed',
    explanation:
      'Go back to the device: it is logged in within a few seconds. You can log it out again under Applications.',
  },
  denied: {
    title: 'Login denied',
    explanation: 'The device has no access to your account. Nothing more is needed.',
  },
};
