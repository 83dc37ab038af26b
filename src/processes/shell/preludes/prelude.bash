# Read by bash as BASH_ENV before a command of a session, so that `-c COMMAND` itself is untouched. What it is told comes in
# HOLDFAST_PRELUDE_* (prelude.ts); nothing of that is left when the command begins.

__holdfast_file=$HOLDFAST_PRELUDE_END
# The group hides what `set -x` would show.
__holdfast_arm='{ __holdfast_end; } >/dev/null 2>&1;'

# A file for this command alone, marked at its end: half of it counts as nothing. No variable: under `set -a` it would be exported.
__holdfast_end() {
  set -- "$?"
  { builtin pwd; builtin printf '\0'; /usr/bin/env -0 && builtin printf 'end\0' || builtin printf 'too large\0'; } >|"$__holdfast_file" || :
  return "$1"
}

# A trap of the user's on EXIT would take the place of ours: this puts ours in front. Anything else ends in the builtin at once,
# because a DEBUG trap would see the rest of this function.
trap() {
  if [[ $# -eq 0 || $1 == -p ]]; then
    local listed
    listed=$(builtin trap "$@") || return
    listed=${listed/"trap -- '$__holdfast_arm' EXIT"$'\n'/}
    listed=${listed/"trap -- '$__holdfast_arm' EXIT"/}
    listed=${listed/"$__holdfast_arm"/}
    [[ -z $listed ]] || builtin printf '%s\n' "$listed"
    return 0
  fi
  if [[ $# -ge 2 && $1 != -l && $BASHPID == "$$" ]]; then
    [[ $1 != -- ]] || shift
    case " ${*:2} " in *" EXIT "* | *" exit "* | *" SIGEXIT "* | *" 0 "*)
      local signal
      for signal in "${@:2}"; do
        case $signal in
        EXIT | exit | SIGEXIT | 0) builtin trap -- "$__holdfast_arm${1#-}" EXIT ;;
        *) builtin trap -- "$1" "$signal" ;;
        esac || return
      done
      return 0
      ;;
    esac
  fi
  builtin trap "$@"
}

if [[ -n ${HOLDFAST_PRELUDE_FUNCTIONS-} ]]; then
  __holdfast_functions=$HOLDFAST_PRELUDE_FUNCTIONS
  command_not_found_handle() {
    unset -f command_not_found_handle
    shopt -s extglob
    builtin source "$__holdfast_functions" 2>/dev/null
    "$@"
  }
fi

if [[ -n ${HOLDFAST_PRELUDE_DEFINITIONS-} ]]; then
  # Patterns of extglob in a function can only be read where it is on.
  if shopt -q extglob; then
    eval "$HOLDFAST_PRELUDE_DEFINITIONS" 2>/dev/null
  else
    shopt -s extglob
    eval "$HOLDFAST_PRELUDE_DEFINITIONS" 2>/dev/null
    shopt -u extglob
  fi
fi

if [[ -n ${HOLDFAST_PRELUDE_STARTUP-} ]]; then
  # The user's own file adds to PATH at every start; what the session has set already has that in it.
  export BASH_ENV=$HOLDFAST_PRELUDE_STARTUP
  __holdfast_names=(${HOLDFAST_PRELUDE_KEEP-}) __holdfast_values=() __holdfast_drop=${HOLDFAST_PRELUDE_DROP-}
  for __holdfast_name in "${__holdfast_names[@]}"; do __holdfast_values+=("${!__holdfast_name}"); done
  unset "${!HOLDFAST_PRELUDE_@}"
  [[ ! -r $BASH_ENV ]] || builtin source "$BASH_ENV"
  for __holdfast_name in "${!__holdfast_names[@]}"; do
    export "${__holdfast_names[__holdfast_name]}=${__holdfast_values[__holdfast_name]}"
  done
  unset $__holdfast_drop __holdfast_names __holdfast_values __holdfast_name __holdfast_drop
else
  unset BASH_ENV "${!HOLDFAST_PRELUDE_@}"
fi
builtin trap -- "$__holdfast_arm" EXIT
true
