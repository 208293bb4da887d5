import { readConfig } from '@atrium/service-kit/config';
import { expect, test } from 'vitest';
import { WebConfig } from './config.ts';

test.each(['https://shop.example.com/login', 'https://Shop.example.com'])(
  'refuses %s as an origin that a login may return to',
  (origin) => {
    const env = { RETURN_ORIGINS: `https://app.example.com,${origin}` };
    expect(() => readConfig(WebConfig, env)).toThrow('RETURN_ORIGINS is not valid');
  },
);
