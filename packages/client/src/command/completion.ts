import { OPTIONS } from './arguments.ts';
import { EVENTS } from './events.ts';
import { CommandError } from './exit-codes.ts';

/** The options of each command, beside those of all. */
const COMMANDS = {
  login: ['--auth-url', '--webhooks-url', '--notes-url'],
  logout: [],
  whoami: [],
  listen: ['--forward', '--events'],
  trigger: ['--forward'],
  notes: ['--workspace'],
  events: [],
  completion: [],
};
const optionsOfType = (type: 'boolean' | 'string') =>
  Object.entries(OPTIONS)
    .filter(([, option]) => option.type === type)
    .map(([name]) => `--${name}`);
const commonOptions = optionsOfType('boolean').join(' ');
const optionsWithValue = optionsOfType('string').join('|');

/** The completion script of a shell. */
export function completionOf(shell: string | undefined): string {
  if (shell === 'bash') return BASH;
  if (shell === 'zsh') return ZSH;
  throw new CommandError('usage', 'Usage: atrium completion bash|zsh');
}

const names = Object.keys(COMMANDS).join(' ');
const events = EVENTS.join(' ');
const optionsOf = Object.entries(COMMANDS).map(
  ([name, options]) => `${name}) choices="${[...options, commonOptions].join(' ')}" ;;`,
);

// Events are separated by commas: what stands before the last one stays.
const BASH = `_atrium() {
  local word="\${COMP_WORDS[COMP_CWORD]}" choices
  local before="\${word%"\${word##*,}"}"
  case "\${COMP_WORDS[1]}" in
    ${optionsOf.join('\n    ')}
  esac
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    "\${COMP_WORDS[0]}") choices="${names}" ;;
    trigger) choices="${events}" ;;
    --events) COMPREPLY=($(compgen -P "$before" -W "${events}" -- "\${word##*,}")); return ;;
    notes) choices="export import" ;;
    events) choices="publish types" ;;
    types) choices="push" ;;
    import|publish|push) COMPREPLY=($(compgen -f -- "$word")); return ;;
    completion) choices="bash zsh" ;;
    ${optionsWithValue}) choices="" ;;
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
}
complete -F _atrium atrium
`;

const ZSH = `#compdef atrium
_atrium() {
  local choices
  case "$words[2]" in
    ${optionsOf.join('\n    ')}
  esac
  case "$words[CURRENT-1]" in
    "$words[1]") choices="${names}" ;;
    trigger) choices="${events}" ;;
    --events) compset -P '*,'; choices="${events}" ;;
    notes) choices="export import" ;;
    events) choices="publish types" ;;
    types) choices="push" ;;
    import|publish|push) _files; return ;;
    completion) choices="bash zsh" ;;
    ${optionsWithValue}) choices="" ;;
  esac
  compadd -- \${=choices}
}
compdef _atrium atrium
`;
