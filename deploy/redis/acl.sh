#!/bin/sh
# Prints the users of Redis (an ACL file). Each service reaches its own keys alone. In a queue that several
# services write to, a writer reaches the lists of job ids and its own jobs, but no other job.
# The names of a service's own queues and keys begin with its name; others are listed here.
set -eu
cd "$(dirname "$0")/../../secrets"
prefix='{atrium}'

user() { # <name>; its password is in redis_<name>_url
  password=$(sed -n 's#^redis[^:]*://[^:]*:\([^@]*\)@.*#\1#p' "redis_$1_url")
  [ -n "$password" ] || { echo "secrets/redis_$1_url has no password" >&2; exit 1; }
  printf '\nuser %s on #%s resetchannels +@all -@admin -@dangerous +info -scan -randomkey -dbsize' \
    "$1" "$(printf '%s' "$password" | sha256sum | cut -d ' ' -f 1)"
}
owns() { printf " ~$prefix:%s:*" "$@"; }
sends() { # <producer> <queue> …
  producer=$1
  shift
  for queue; do
    printf " ~$prefix:$queue:%s" '' active wait waiting-children paused id delayed prioritized \
      completed failed stalled-check stalled repeat limiter meta events pc marker "$producer-*"
  done
}

printf 'user default on nopass resetkeys resetchannels -@all +ping'
user auth
owns auth 'auth-*' mail 'email-*' inbox-auth
sends auth events inbox-notes inbox-links inbox-webhooks
user notes
owns notes 'notes-*' inbox-notes
sends notes events inbox-auth
user links
owns links 'links-*' inbox-links
sends links events inbox-auth
printf " ~$prefix:clicks &$prefix:links-changed"
user webhooks
owns 'webhook-*' deliveries endpoint-rate inbox-webhooks events
sends webhook-worker inbox-auth
printf " &$prefix:deliveries:wake\n"
