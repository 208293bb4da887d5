import { EVENTS } from './events.ts';
import { CommandError } from './exit-codes.ts';

const COMMANDS = ['login', 'logout', 'whoami', 'listen', 'trigger', 'notes', 'completion'];
const OPTIONS = [
  '--json',
  '--help',
  '--forward',
  '--events',
  '--auth-url',
  '--webhooks-url',
  '--notes-url',
  '--workspace',
];

/** The completion script of a shell. */
export function completionOf(shell: string | undefined): string {
  if (shell === 'bash') return BASH;
  if (shell === 'zsh') return ZSH;
  throw new CommandError('usage', 'Usage: atrium completion bash|zsh');
}

const BASH = `_atrium() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    atrium) COMPREPLY=($(compgen -W "${COMMANDS.join(' ')}" -- "$word")) ;;
    trigger|--events) COMPREPLY=($(compgen -W "${EVENTS.join(' ')}" -- "$word")) ;;
    notes) COMPREPLY=($(compgen -W "export import" -- "$word")) ;;
    import) COMPREPLY=($(compgen -f -- "$word")) ;;
    completion) COMPREPLY=($(compgen -W "bash zsh" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "${OPTIONS.join(' ')}" -- "$word")) ;;
  esac
}
complete -F _atrium atrium
`;

const ZSH = `#compdef atrium
_atrium() {
  case "$words[CURRENT-1]" in
    atrium) compadd -- ${COMMANDS.join(' ')} ;;
    trigger|--events) compadd -- ${EVENTS.join(' ')} ;;
    notes) compadd -- export import ;;
    import) _files ;;
    completion) compadd -- bash zsh ;;
    *) compadd -- ${OPTIONS.join(' ')} ;;
  esac
}
compdef _atrium atrium
`;
