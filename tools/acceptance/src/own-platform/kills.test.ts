// In one file, because they share a platform, which takes longer to start than most of them.
import './kills/events.ts';
import './kills/traces.ts';
import './kills/sessions.ts';
import './kills/worker-death.ts';
import './kills/account-deletion.ts';
import './kills/command.ts';
import './kills/publishing.ts';
import './kills/text-loss.ts';
