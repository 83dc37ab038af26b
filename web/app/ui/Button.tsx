// The one button. A button that cannot be used says why instead of vanishing.
import type { ButtonHTMLAttributes, ReactNode } from "react";

/** pressed: a ghost whose thing is on. */
export type ButtonKind = "plain" | "primary" | "danger" | "ghost" | "pressed";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  /** Shown as the title while the button is disabled. */
  readonly disabledReason?: string | undefined;
  readonly icon?: ReactNode;
}

const looks: Record<ButtonKind, string> = {
  plain: "border-line-strong bg-surface text-text hover:bg-sunken",
  primary: "border-transparent bg-accent text-on-accent hover:brightness-90",
  danger: "border-bad/50 bg-surface text-bad hover:bg-bad-soft",
  ghost: "border-transparent bg-transparent text-muted hover:bg-sunken hover:text-text",
  pressed: "border-transparent bg-accent-soft text-accent hover:brightness-95",
};

export function Button({
  kind = "plain",
  disabledReason,
  icon,
  className = "",
  children,
  title,
  ...rest
}: ButtonProps) {
  const isDisabled = rest.disabled === true || disabledReason !== undefined;
  return (
    <button
      type="button"
      {...rest}
      disabled={isDisabled}
      title={disabledReason ?? title}
      className={`inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md border px-2.5 font-medium whitespace-nowrap transition-colors disabled:opacity-50 pointer-coarse:h-10 ${looks[kind]} ${className}`}
    >
      {icon}
      {children}
    </button>
  );
}
