import { CONSUME_LUA } from '@atrium/service-kit/rate-limit/schedule';

/**
 * One script, so that the limits cost no further round trip and a click over one never enters the journal.
 * KEYS: one for each limit; the stream; its size in bytes. ARGV: six numbers for each limit; the largest
 * size; the click. Returns the entry's id; over a limit its position, arrival and opening time; nil when the
 * stream is full.
 */
export const APPEND_LUA = `
local function consume(KEYS, ARGV)
${CONSUME_LUA}
end
for position = 1, #KEYS - 2 do
  local last = position * 6
  local verdict = consume({KEYS[position]}, {unpack(ARGV, last - 5, last)})
  if verdict[1] == 0 then return {position, verdict[2], verdict[3]} end
end
local stream, size, click = KEYS[#KEYS - 1], KEYS[#KEYS], ARGV[#ARGV]
local bytes = tonumber(redis.call('GET', size) or 0)
if bytes + #click > tonumber(ARGV[#ARGV - 1]) then return false end
redis.call('INCRBY', size, #click)
return redis.call('XADD', stream, '*', 'click', click)`;

/** KEYS: the stream; its size in bytes. ARGV: ids of entries, of which some may be gone. */
export const REMOVE_LUA = `
local bytes = 0
for _, id in ipairs(ARGV) do
  local entry = redis.call('XRANGE', KEYS[1], id, id)[1]
  if entry then bytes = bytes + #entry[2][2] end
end
redis.call('XDEL', KEYS[1], unpack(ARGV))
if redis.call('XLEN', KEYS[1]) == 0 then
  redis.call('DEL', KEYS[2])
else
  redis.call('DECRBY', KEYS[2], bytes)
end
return bytes`;
