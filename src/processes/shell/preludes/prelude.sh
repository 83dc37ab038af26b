# Read by a POSIX shell before a command of a session. What it is told comes in HOLDFAST_PRELUDE_* (prelude.ts); nothing of that is
# left when the command begins.

__holdfast_file=$HOLDFAST_PRELUDE_END

# A file for this command alone, marked at its end: half of it counts as nothing. A trap set in a subshell must not write it.
__holdfast_end() {
  set -- "$?"
  if read -r __holdfast_pid __holdfast_rest </proc/self/stat && [ "$__holdfast_pid" = "$$" ]; then
    unset __holdfast_pid __holdfast_rest
    { pwd; printf '\0'; /usr/bin/env -0 && printf 'end\0' || printf 'too large\0'; } >|"$__holdfast_file" || :
  fi
  return "$1"
}

# A trap of the user's on EXIT would take the place of ours: this puts ours in front. No function may be called `trap` here.
__holdfast_trap() {
  if [ "$#" -ge 2 ]; then
    [ "$1" != -- ] || shift
    __holdfast_handler=$1
    shift
    case " $* " in *" EXIT "* | *" 0 "*)
      for __holdfast_signal in "$@"; do
        case $__holdfast_signal in
        EXIT | 0) trap -- "{ __holdfast_end; } >/dev/null 2>&1;${__holdfast_handler#-}" EXIT ;;
        *) trap -- "$__holdfast_handler" "$__holdfast_signal" ;;
        esac || return
      done
      return 0
      ;;
    esac
    set -- "$__holdfast_handler" "$@"
  fi
  trap "$@"
}

eval "${HOLDFAST_PRELUDE_DEFINITIONS-}" 2>/dev/null
unset HOLDFAST_PRELUDE_END HOLDFAST_PRELUDE_STARTUP HOLDFAST_PRELUDE_KEEP HOLDFAST_PRELUDE_DROP HOLDFAST_PRELUDE_DEFINITIONS HOLDFAST_PRELUDE_FUNCTIONS
trap '{ __holdfast_end; } >/dev/null 2>&1;' EXIT
alias trap=__holdfast_trap
