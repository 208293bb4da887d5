/** The command of Atrium, as it is registered in every installation. */
export const COMMAND_ID = 'app_00000000000000000000000000';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const SCOPE = 'openid offline_access account:read notes:write';

async function post(url: string, fields: Record<string, string>) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** A device asks to be logged in. */
export async function startDevice(origin: string, fields: Record<string, string> = {}) {
  const form = { client_id: COMMAND_ID, scope: SCOPE, ...fields };
  const { status, body } = await post(`${origin}/oauth/device`, form);
  return {
    status,
    body,
    deviceCode: String(body['device_code']),
    userCode: String(body['user_code']),
  };
}

/** A device asks for its tokens. */
export const poll = (origin: string, deviceCode: string, clientId = COMMAND_ID) =>
  post(`${origin}/oauth/token`, {
    client_id: clientId,
    grant_type: DEVICE_GRANT,
    device_code: deviceCode,
  });
