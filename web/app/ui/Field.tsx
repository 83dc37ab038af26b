// A labelled line to type in.
import type { InputHTMLAttributes, ReactNode } from "react";

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  readonly label: string;
  /** Seen by screen readers only: the place says it to everybody else. */
  readonly isLabelHidden?: boolean;
  readonly onChange: (text: string) => void;
  readonly icon?: ReactNode;
}

export function Field({ label, isLabelHidden = false, onChange, icon, className = "", ...rest }: FieldProps) {
  return (
    <label className={`relative flex min-w-0 flex-col gap-1 ${className}`}>
      <span className={isLabelHidden ? "sr-only" : ""}>{label}</span>
      {icon === undefined ? null : (
        <span className="pointer-events-none absolute bottom-0 left-2 flex h-8 items-center text-muted pointer-coarse:h-10">
          {icon}
        </span>
      )}
      <input
        spellCheck={false}
        autoComplete="off"
        {...rest}
        onChange={({ target }) => onChange(target.value)}
        className={`h-8 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2 placeholder:text-muted pointer-coarse:h-10 ${icon === undefined ? "" : "pl-7"}`}
      />
    </label>
  );
}
