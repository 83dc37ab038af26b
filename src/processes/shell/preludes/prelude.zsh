# Read by zsh as its .zshenv before a command of a session, so that `-c COMMAND` itself is untouched. What it is told comes in
# HOLDFAST_PRELUDE_* (prelude.ts); nothing of that is left when the command begins.

__holdfast_file=$HOLDFAST_PRELUDE_END

# A file for this command alone, marked at its end: half of it counts as nothing.
__holdfast_end() {
  builtin set -- "$?"
  builtin setopt localoptions noxtrace noerrexit
  if [[ -n $__holdfast_file ]]; then
    { builtin pwd; builtin printf '\0'; /usr/bin/env -0 && builtin printf 'end\0' || builtin printf 'too large\0' } 2>/dev/null >|"$__holdfast_file" || :
    __holdfast_file=
  fi
  return "$1"
}

if [[ -n ${HOLDFAST_PRELUDE_FUNCTIONS-} ]]; then
  __holdfast_functions=$HOLDFAST_PRELUDE_FUNCTIONS
  command_not_found_handler() {
    unfunction command_not_found_handler
    builtin source "$__holdfast_functions" 2>/dev/null
    "$@"
  }
fi

__holdfast_definitions=${HOLDFAST_PRELUDE_DEFINITIONS-}
__holdfast_drop=${HOLDFAST_PRELUDE_DROP-}
typeset -A __holdfast_kept
for __holdfast_name in ${=HOLDFAST_PRELUDE_KEEP-}; do __holdfast_kept[$__holdfast_name]=${(P)__holdfast_name}; done
if [[ -n ${HOLDFAST_PRELUDE_STARTUP-} ]]; then export ZDOTDIR=$HOLDFAST_PRELUDE_STARTUP; else unset ZDOTDIR; fi
unset -m 'HOLDFAST_PRELUDE_*'
[[ ! -r ${ZDOTDIR:-$HOME}/.zshenv ]] || builtin source ${ZDOTDIR:-$HOME}/.zshenv
# The user's own file adds to PATH at every start; what the session has set already has that in it.
for __holdfast_name in ${(k)__holdfast_kept}; do export "$__holdfast_name=${__holdfast_kept[$__holdfast_name]}"; done
[[ -z $__holdfast_drop ]] || unset ${=__holdfast_drop}
[[ -z $__holdfast_definitions ]] || eval "$__holdfast_definitions" 2>/dev/null
unset __holdfast_kept __holdfast_name __holdfast_drop __holdfast_definitions
# The hook stays where a trap of the user's takes the place of ours; the trap also runs after an error under `set -e`, and without
# any trap zsh would become its last command instead of waiting for it.
typeset -ga zshexit_functions
zshexit_functions+=(__holdfast_end)
trap __holdfast_end EXIT
true
