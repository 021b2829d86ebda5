/** Completion for zsh. */
import type { CommandWords, OptionWords } from './words.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", '')}'`;
const add = (words: readonly string[]): string =>
  words.length === 0 ? ':' : `compadd -- ${words.map(quoted).join(' ')}`;

const valuesOf = ({ values = [], list }: OptionWords): string => {
  if (values === 'file') return '_files';
  return list ? `_values -s , value ${values.map(quoted).join(' ')}` : add(values);
};

const caseOf = ({ name, options, values }: CommandWords): string => {
  const taking = options.filter((option) => option.values !== undefined);
  const arms = taking.map((option) => `    ${quoted(`${name} ${option.long}`)}) ${valuesOf(option)} ;;`);
  const described = options.map(({ long, says }) => quoted(`${long}:${says}`)).join(' ');
  const rest = `    ${quoted(`${name} `)}*)
      if [[ $PREFIX == -* ]]; then
        local -a options=(${described})
        _describe option options
      else
        ${values === 'file' ? '_files' : add(values)}
      fi ;;`;
  return [...arms, rest].join('\n');
};

export const zshCompletion = (commands: readonly CommandWords[]): string => `#compdef touchstone
# zsh completion for touchstone. In ~/.zshrc, after compinit: source <(touchstone completion zsh)
_touchstone() {
  if (( CURRENT == 2 )); then
    local -a commands=(${commands.map(({ name, says }) => quoted(`${name}:${says}`)).join(' ')})
    _describe command commands
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${commands.map(caseOf).join('\n')}
  esac
}
if [[ $funcstack[1] == _touchstone ]]; then _touchstone "$@"; else compdef _touchstone touchstone; fi
`;
