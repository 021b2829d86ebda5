/** Completion for bash: one function, which knows all words, so that nothing is started while somebody types. */
import type { CommandWords, OptionWords } from './words.ts';

const files = 'COMPREPLY=($(compgen -f -- "$cur"))';
const from = (words: readonly string[]): string => `COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$cur"))`;

const valuesOf = ({ values = [], list }: OptionWords): string => {
  if (values === 'file') return files;
  if (!list) return from(values);
  // Behind the last comma; what stands before it stays.
  return `[[ $cur == *,* ]] && before="\${cur%,*},"
      COMPREPLY=($(compgen -P "$before" -W "${values.join(' ')}" -- "\${cur##*,}"))
      compopt -o nospace 2>/dev/null`;
};

const caseOf = ({ name, options, values }: CommandWords): string => {
  const taking = options.filter((option) => option.values !== undefined);
  const arms = taking.map((option) => `    '${name} ${option.long}')\n      ${valuesOf(option)}\n      return ;;`);
  const words = options.map(({ long }) => long);
  const rest = `    '${name} '*)
      if [[ $cur == -* ]]; then ${from(words)}
      else ${values === 'file' ? files : from(values)}; fi
      return ;;`;
  return [...arms, rest].join('\n');
};

export const bashCompletion = (commands: readonly CommandWords[]): string => `# bash completion for touchstone
# In ~/.bashrc: source <(touchstone completion bash)
_touchstone() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" before=""
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    ${from([...commands.map(({ name }) => name), '--help', '--version'])}
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${commands.map(caseOf).join('\n')}
  esac
}
complete -F _touchstone touchstone
`;
