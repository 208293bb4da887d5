/** Whether the keys of this device have the signs of Apple. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** What a button does, with the keys that do it too. @param keys such as `Ctrl+B`, and with the signs of Apple */
export const withShortcut = (label: string, keys: string, appleKeys: string) =>
  `${label} (${isApple ? appleKeys : keys})`;
